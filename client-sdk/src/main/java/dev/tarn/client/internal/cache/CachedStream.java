package dev.tarn.client.internal.cache;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Range;
import dev.tarn.client.storage.RangeStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of an object from disk where it is kept; otherwise from its storage, and keeps it.
 * All bytes are of one version: requests to the storage name the ETag of what is kept.
 */
final class CachedStream extends RangeStream {
  private final Storage storage;
  private final KeptObject kept;
  private final CRC32C crc = new CRC32C();
  private final PieceWriter writer;

  /** Held during a read; only its holder closes the files. */
  private final ReentrantLock reading = new ReentrantLock();

  private @Nullable FileChannel data;

  /** The piece that was read last in part, and its bytes. */
  private @Nullable CachedPiece piece;

  private byte[] pieceBytes = new byte[0];

  /** The stream of bytes that are not kept. */
  private @Nullable ObjectStream remote;

  private volatile boolean closed;

  CachedStream(
      Storage storage, DiskCache cache, KeptObject kept, StoredObject object, Range range) {
    super(object, range);
    this.storage = storage;
    this.kept = kept;
    this.writer = new PieceWriter(cache, kept);
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    reading.lock();
    try {
      return readNext(target, offset, length);
    } finally {
      reading.unlock();
      if (closed) {
        tidy();
      }
    }
  }

  private int readNext(byte[] target, int offset, int length) throws IOException {
    if (closed) {
      throw new StorageException(
          StorageException.Kind.INVALID, object().url(), "the stream is closed");
    }
    if (isAtEnd()) {
      return -1;
    }
    if (length == 0) {
      return 0;
    }
    int wanted = leftOf(length);
    int count = remote() == null ? readKept(target, offset, wanted) : 0;
    if (count == 0) {
      count = readRemote(target, offset, wanted);
    }
    advance(count);
    return count;
  }

  /** Reads from a kept piece; 0 if there is none, or it is damaged. */
  private int readKept(byte[] target, int offset, int length) throws IOException {
    CachedPiece found = kept.pieces().find(position());
    if (found == null) {
      return 0;
    }
    try {
      int count = (int) Math.min(length, found.end() - position());
      if (count == found.length()) {
        readPiece(found, target, offset);
        return count;
      }
      if (!found.equals(piece)) {
        pieceBytes = new byte[found.length()];
        readPiece(found, pieceBytes, 0);
        piece = found;
      }
      System.arraycopy(pieceBytes, (int) (position() - found.offset()), target, offset, count);
      return count;
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      kept.pieces().remove(found);
      return 0;
    }
  }

  /** Reads a piece and verifies it, so that no damaged bytes are returned. */
  private void readPiece(CachedPiece wanted, byte[] target, int offset) throws IOException {
    FileChannel file = data;
    if (file == null) {
      file = kept.openToRead();
      data = file;
    }
    ByteBuffer buffer = ByteBuffer.wrap(target, offset, wanted.length());
    long at = wanted.offset();
    while (buffer.hasRemaining()) {
      int count = file.read(buffer, at);
      if (count < 0) {
        throw new EOFException("the kept bytes end before byte " + at);
      }
      at += count;
    }
    crc.reset();
    crc.update(target, offset, wanted.length());
    if ((int) crc.getValue() != wanted.crc32c()) {
      throw new IOException("the kept bytes from " + wanted.offset() + " on are damaged");
    }
  }

  private int readRemote(byte[] target, int offset, int length) throws IOException {
    ObjectStream stream = remote();
    if (stream == null) {
      stream = open(kept.pieces().fetchEnd(position(), end()));
    }
    int wanted = (int) Math.min(length, stream.end() - position());
    int count = stream.read(target, offset, wanted);
    if (stream.object().etag() != null) {
      writer.write(position(), target, offset, count, stream.end());
    } // Otherwise nothing shows that the bytes are of this version, so none are kept.
    if (position() + count == stream.end()) {
      setRemote(null);
      stream.close();
    }
    return count;
  }

  private ObjectStream open(long to) throws IOException {
    boolean opened = false;
    try {
      ObjectStream stream = openAt(position(), to);
      if (!stream.object().agreesWith(object())) {
        throw new StorageException(
            StorageException.Kind.CHANGED,
            object().url(),
            "replaced while it was read: ETag %s and %d bytes, before %s and %d"
                .formatted(
                    stream.object().etag(),
                    stream.object().size(),
                    object().etag(),
                    object().size()));
      }
      stream.skipNBytes(position() - stream.position());
      opened = true;
      return stream;
    } finally {
      ObjectStream refused = opened ? null : remote();
      if (refused != null) {
        setRemote(null);
        refused.close();
      }
    }
  }

  /** Opens the object at an offset, or at its start: many web servers do not support ranges. */
  private ObjectStream openAt(long offset, long to) throws IOException {
    ObjectStream stream;
    try {
      stream = storage.open(object().url(), offset, to, object().etag());
    } catch (StorageException e) {
      if (e.kind() != StorageException.Kind.INVALID || offset == 0 || !isWeb()) {
        throw e;
      }
      stream = storage.open(object().url(), 0, to, object().etag());
    }
    setRemote(stream);
    return stream;
  }

  private boolean isWeb() {
    Scheme scheme = object().url().scheme();
    return scheme == Scheme.HTTP || scheme == Scheme.HTTPS;
  }

  private synchronized @Nullable ObjectStream remote() {
    return remote;
  }

  private synchronized void setRemote(@Nullable ObjectStream stream) throws IOException {
    remote = stream;
    if (closed && stream != null) {
      stream.close();
    }
  }

  @Override
  public boolean isOpen() {
    return !closed;
  }

  @Override
  public void close() throws IOException {
    closed = true;
    ObjectStream stream = remote();
    if (stream != null) {
      stream.close();
    }
    tidy();
  }

  /** Closes the files, unless another thread is reading, which then closes them. */
  private void tidy() {
    if (reading.tryLock()) {
      try {
        writer.close();
        if (data != null) {
          data.close();
        }
      } catch (IOException e) {
        // Nobody reads the stream any more; what was not kept is fetched again.
      } finally {
        reading.unlock();
      }
    }
  }
}
