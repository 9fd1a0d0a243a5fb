package dev.tarn.shard.tar;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** An archive that arrives as a stream, read through one buffer. */
final class StreamInput implements TarInput {
  private static final int BUFFER_SIZE = 64 * 1024;

  private final InputStream stream;
  private byte[] bytes = new byte[BUFFER_SIZE];
  private ByteBuffer window = ByteBuffer.wrap(bytes);

  /** The buffered bytes are between these two indexes. */
  private int start;

  private int end;
  private long position;

  StreamInput(InputStream stream) {
    this.stream = stream;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public boolean take(int length) throws IOException {
    if (length > bytes.length) {
      grow(length);
    }
    if (end - start < length && !fill(length)) {
      position += end - start;
      start = end;
      return false;
    }
    window.limit(start + length).position(start);
    start += length;
    position += length;
    return true;
  }

  private void grow(int length) {
    byte[] larger = new byte[length];
    System.arraycopy(bytes, start, larger, 0, end - start);
    bytes = larger;
    window = ByteBuffer.wrap(bytes);
    end -= start;
    start = 0;
  }

  private boolean fill(int length) throws IOException {
    System.arraycopy(bytes, start, bytes, 0, end - start);
    end -= start;
    start = 0;
    while (end < length) {
      int read = stream.read(bytes, end, bytes.length - end);
      if (read < 0) {
        return false;
      }
      end += read;
    }
    return true;
  }

  @Override
  public ByteBuffer window() {
    return window;
  }

  @Override
  public boolean skip(long length) throws IOException {
    long left = length;
    while (left > 0) {
      if (start == end && !fill(1)) {
        return false;
      }
      int step = (int) Math.min(left, end - start);
      start += step;
      position += step;
      left -= step;
    }
    return true;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!target.hasRemaining()) {
      return 0;
    }
    if (start == end && target.hasArray() && target.remaining() >= bytes.length) {
      int read =
          stream.read(target.array(), target.arrayOffset() + target.position(), target.remaining());
      if (read > 0) {
        target.position(target.position() + read);
        position += read;
      }
      return read;
    }
    if (start == end && !fill(1)) {
      return -1;
    }
    int length = Math.min(target.remaining(), end - start);
    target.put(bytes, start, length);
    start += length;
    position += length;
    return length;
  }

  /**
   * Reads to the end, where a compressed stream verifies its checksum and an HTTP body its length.
   */
  @Override
  public long drain() throws IOException {
    long found = -1;
    do {
      if (found < 0) {
        int index = TarFormat.firstNonZero(window.limit(end).position(start));
        found = index < 0 ? -1 : position + index - start;
      }
      position += end - start;
      start = end;
    } while (fill(1));
    return found;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
