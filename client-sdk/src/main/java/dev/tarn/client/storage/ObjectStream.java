package dev.tarn.client.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;

/**
 * The bytes of an object, or of a range of it, in order.
 *
 * <p>The stream delivers exactly the requested range, or throws: it never ends early in silence.
 * Reads block, and one thread reads. Any thread may call {@link #close} at any time, and
 * repeatedly. It frees or cuts the connection, and a waiting read fails.
 */
public abstract class ObjectStream extends InputStream implements ReadableByteChannel {
  /** The whole object that holds these bytes. */
  public abstract StoredObject object();

  /** The offset in the object of the next byte. */
  public abstract long position();

  /** The offset in the object after the last byte. */
  public abstract long end();

  /**
   * Reads at least one and at most {@code length} bytes.
   *
   * @return the number of bytes, or -1 at the end of the range
   * @throws StorageException if they cannot be read
   */
  @Override
  public abstract int read(byte[] target, int offset, int length) throws IOException;

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  /** Reads at least one byte, and at most as many as the buffer has room for; -1 at the end. */
  @Override
  public int read(ByteBuffer target) throws IOException {
    if (target.hasArray()) {
      int count =
          read(target.array(), target.arrayOffset() + target.position(), target.remaining());
      target.position(target.position() + Math.max(0, count));
      return count;
    }
    byte[] copy = new byte[Math.min(target.remaining(), COPY_BYTES_MAX)];
    int count = read(copy, 0, copy.length);
    target.put(copy, 0, Math.max(0, count));
    return count;
  }

  /**
   * Fills the buffer, or reads to the end if fewer bytes remain.
   *
   * @return the number of bytes read, 0 at the end
   */
  public final int readFully(ByteBuffer target) throws IOException {
    int start = target.position();
    int count = 0;
    while (target.hasRemaining() && count >= 0) {
      count = read(target);
    }
    return target.position() - start;
  }

  @Override
  public abstract void close() throws IOException;

  private static final int COPY_BYTES_MAX = 64 * 1024;
}
