package dev.tarn.shard.tar;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/**
 * An archive in a file of any size, or in a source with random access; skipped bytes are never
 * read.
 */
final class SeekableInput implements TarInput {
  private static final int BUFFER_SIZE = 64 * 1024;

  private final SeekableByteChannel file;
  private final long size;
  private ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_SIZE).limit(0);
  private ByteBuffer window = buffer.duplicate();

  /** The offset of the byte at the buffer's index 0. */
  private long bufferOffset;

  private long position;

  SeekableInput(SeekableByteChannel file) throws IOException {
    this.file = file;
    this.size = file.size();
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public boolean take(int length) throws IOException {
    if (length > size - position) {
      position = size;
      return false;
    }
    if (length > buffer.capacity()) {
      buffer = ByteBuffer.allocateDirect(length).limit(0);
      window = buffer.duplicate();
    }
    boolean buffered =
        position >= bufferOffset && position + length <= bufferOffset + buffer.limit();
    if (!buffered && !fill(length)) {
      return false;
    }
    int index = (int) (position - bufferOffset);
    window.limit(index + length).position(index);
    position += length;
    return true;
  }

  private boolean fill(int length) throws IOException {
    buffer.clear();
    bufferOffset = position;
    while (buffer.position() < length) {
      if (file.position(position + buffer.position()).read(buffer) < 0) {
        buffer.flip();
        return false;
      }
    }
    buffer.flip();
    return true;
  }

  @Override
  public ByteBuffer window() {
    return window;
  }

  @Override
  public boolean skip(long length) {
    long step = Math.min(length, size - position);
    position += step;
    return step == length;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    int read = file.position(position).read(target);
    position += Math.max(0, read);
    return read;
  }

  @Override
  public ByteBuffer read(int length) throws IOException {
    ByteBuffer data = ByteBuffer.allocate((int) Math.min(length, size - position));
    while (data.hasRemaining() && read(data) >= 0) {
      // read() advances the position
    }
    return data.flip();
  }

  @Override
  public long drain() throws IOException {
    long lookedAt = Math.min(size, position + REST_LENGTH_MAX);
    long found = firstNonZero(lookedAt);
    if (found < 0 && lookedAt < size) {
      position = Math.max(lookedAt, size - TRAILER_LENGTH);
      found = firstNonZero(size);
    }
    position = size;
    return found;
  }

  private long firstNonZero(long until) throws IOException {
    while (position < until) {
      long buffered = bufferOffset + buffer.limit() - position;
      boolean isBuffered = position >= bufferOffset && buffered > 0;
      long start = position;
      if (!take((int) Math.min(until - start, isBuffered ? buffered : BUFFER_SIZE))) {
        break;
      }
      int index = TarFormat.firstNonZero(window);
      if (index >= 0) {
        return start + index - window.position();
      }
    }
    return -1;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
