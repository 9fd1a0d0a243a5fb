package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** A range of a file, by positional reads. */
final class LocalStream extends ObjectStream {
  /**
   * The JDK reads into heap buffers through a direct one of the read's size, kept by the thread:
   * pieces of this size stay in the processor's cache and bound what each thread keeps.
   */
  private static final int READ_BYTES_MAX = 256 * 1024;

  private final StoredObject object;
  private final FileChannel channel;
  private final long end;
  private long position;

  LocalStream(StoredObject object, FileChannel channel, Range range) {
    this.object = object;
    this.channel = channel;
    this.position = range.offset();
    this.end = range.end();
  }

  @Override
  public StoredObject object() {
    return object;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public long end() {
    return end;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return read(ByteBuffer.wrap(target, offset, length));
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (position == end) {
      return -1;
    }
    int limit = target.limit();
    int length = (int) Math.min(Math.min(target.remaining(), READ_BYTES_MAX), end - position);
    target.limit(target.position() + length);
    try {
      int count = channel.read(target, position);
      if (count < 0) {
        throw new StorageException(
            Kind.TRUNCATED,
            object.url(),
            "ends at byte %d, was %d bytes long when it was opened"
                .formatted(position, object.size()));
      }
      position += count;
      return count;
    } catch (IOException e) {
      throw LocalFiles.translate(object.url(), "cannot read it at byte " + position, e);
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
