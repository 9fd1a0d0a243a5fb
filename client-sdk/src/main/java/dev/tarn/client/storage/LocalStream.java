package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads a range of a file by positional reads. */
final class LocalStream extends RangeStream {
  /**
   * The JDK reads into heap arrays through a direct buffer of the read's size, which the thread
   * keeps. Reads of this size stay in the processor's cache and bound what each thread keeps.
   */
  private static final int READ_BYTES_MAX = 256 * 1024;

  private final FileChannel channel;

  LocalStream(StoredObject object, FileChannel channel, Range range) {
    super(object, range);
    this.channel = channel;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return read(ByteBuffer.wrap(target, offset, length));
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (isAtEnd()) {
      return -1;
    }
    int limit = target.limit();
    int length = leftOf(target.remaining());
    if (!target.isDirect()) {
      length = Math.min(length, READ_BYTES_MAX);
    }
    target.limit(target.position() + length);
    try {
      int count = channel.read(target, position());
      if (count < 0) {
        throw new StorageException(
            Kind.TRUNCATED,
            object().url(),
            "ends at byte %d, was %d bytes long when it was opened"
                .formatted(position(), object().size()));
      }
      advance(count);
      return count;
    } catch (IOException e) {
      throw LocalFiles.translate(object().url(), "cannot read it at byte " + position(), e);
    } finally {
      target.limit(limit);
    }
  }

  @Override
  public boolean isOpen() {
    return channel.isOpen();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
