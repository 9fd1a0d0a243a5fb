package dev.tarn.targetnode.store.read;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.disk.OpenFile;
import dev.tarn.targetnode.store.disk.UnreadableFormatException;
import dev.tarn.targetnode.store.extent.Extents;
import dev.tarn.targetnode.store.log.RecordLocation;
import dev.tarn.targetnode.store.memory.DirectBuffers;
import dev.tarn.targetnode.store.record.Piece;
import dev.tarn.targetnode.store.record.StoredObject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Makes the body of an answer out of an object's pieces.
 *
 * <p>Bytes of the log are read whole and verified, into a pooled buffer. A short range of an extent
 * is read into a pooled buffer too, because one write then carries head and body; a long one is
 * given as a file range, which the kernel sends without the bytes passing through this process.
 * What lies in several extents, or must be verified, becomes a stream.
 */
public final class ObjectReader {
  /** Up to this length a range of an extent is copied rather than sent by the kernel. */
  public static final int COPIED_BYTES_MAX = 128 << 10;

  private final DirectBuffers buffers;
  private final Executor workers;

  /** Reads streams on these workers. */
  public ObjectReader(DirectBuffers buffers, Executor workers) {
    this.buffers = buffers;
    this.workers = workers;
  }

  /** The pool that bodies are read into. */
  public DirectBuffers buffers() {
    return buffers;
  }

  /** The body, if it can be made without waiting for the device; null if not. */
  public @Nullable OutgoingBody readNow(
      DiskStore store,
      StoredObject object,
      RecordLocation at,
      long offset,
      long length,
      boolean verify)
      throws IOException {
    if (length == 0) {
      return empty();
    }
    if (object.isInline()) {
      ByteBuffer buffer = buffers.take(at.payloadLength());
      try {
        if (store.readInlineNow(at, buffer)) {
          return bytes(buffer, offset, length);
        }
      } catch (IOException | RuntimeException e) {
        buffers.giveBack(buffer);
        throw e;
      }
      buffers.giveBack(buffer);
      return null;
    }
    List<Piece> pieces = PieceRange.cut(object.pieces(), offset, length);
    if (verify || pieces.size() != 1 || !(pieces.getFirst() instanceof Piece.ExtentRange range)) {
      return null;
    }
    OpenFile open = store.extents().holdNow(range.extent());
    return open == null ? null : ofExtentNow(open, range);
  }

  private @Nullable OutgoingBody ofExtentNow(OpenFile open, Piece.ExtentRange range)
      throws IOException {
    Optional<FileChannel> channel = open.file().channel();
    if (range.length() > COPIED_BYTES_MAX && channel.isPresent()) {
      return fileRange(open, channel.orElseThrow(), range);
    }
    if (range.length() > COPIED_BYTES_MAX) {
      open.release();
      return null;
    }
    ByteBuffer buffer = buffers.take((int) range.length());
    boolean read = false;
    try {
      buffer.limit((int) range.length());
      read = open.file().readNow(buffer, Extents.DATA_OFFSET + range.offset());
    } finally {
      open.release();
      if (!read) {
        buffers.giveBack(buffer);
      }
    }
    return read ? bytes(buffer.flip(), 0, range.length()) : null;
  }

  /** The body; blocks. */
  public OutgoingBody read(
      DiskStore store,
      StoredObject object,
      RecordLocation at,
      long offset,
      long length,
      boolean verify)
      throws IOException {
    if (length == 0) {
      return empty();
    }
    if (object.isInline()) {
      ByteBuffer buffer = buffers.take(at.payloadLength());
      try {
        store.readInline(at, buffer);
        return bytes(buffer, offset, length);
      } catch (IOException | RuntimeException e) {
        buffers.giveBack(buffer);
        throw e;
      }
    }
    List<Piece> pieces = PieceRange.cut(object.pieces(), offset, length);
    if (!verify
        && pieces.size() == 1
        && pieces.getFirst() instanceof Piece.ExtentRange range
        && range.length() > COPIED_BYTES_MAX) {
      OpenFile open = store.extents().hold(range.extent());
      Optional<FileChannel> channel = open.file().channel();
      if (channel.isPresent()) {
        return fileRange(open, channel.orElseThrow(), range);
      }
      open.release();
    }
    PieceSource source = PieceSource.open(store, pieces, verify, buffers);
    return length <= COPIED_BYTES_MAX
        ? copied(source, (int) length)
        : PieceStream.body(source, length, workers, store.health());
  }

  private OutgoingBody copied(PieceSource source, int length) throws IOException {
    ByteBuffer buffer = buffers.take(length);
    try (source) {
      while (buffer.position() < length) {
        buffer.put(source.next());
      }
    } catch (IOException | RuntimeException e) {
      buffers.giveBack(buffer);
      throw e;
    }
    return bytes(buffer.flip(), 0, length);
  }

  private static OutgoingBody fileRange(OpenFile open, FileChannel channel, Piece.ExtentRange range)
      throws IOException {
    long end = Extents.DATA_OFFSET + range.offset() + range.length();
    if (open.file().length() < end) {
      open.release();
      throw new UnreadableFormatException(
          UnreadableFormatException.Reason.DAMAGED,
          Extents.path(range.extent()) + " is shorter than the record that names it says");
    }
    return new OutgoingBody.FileRange(
        channel, end - range.length(), range.length(), once(open::release));
  }

  private OutgoingBody bytes(ByteBuffer buffer, long offset, long length) {
    ByteBuffer view = buffer.duplicate();
    int start = view.position() + (int) offset;
    view.limit(start + (int) length).position(start);
    return new OutgoingBody.Bytes(view, once(() -> buffers.giveBack(buffer)));
  }

  private static OutgoingBody empty() {
    return new OutgoingBody.Bytes(ByteBuffer.allocate(0), () -> {});
  }

  /** A buffer that two owners think theirs is worse than a leak. */
  private static Runnable once(Runnable release) {
    AtomicBoolean released = new AtomicBoolean();
    return () -> {
      if (released.compareAndSet(false, true)) {
        release.run();
      }
    };
  }
}
