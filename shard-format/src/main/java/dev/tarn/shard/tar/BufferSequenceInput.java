package dev.tarn.shard.tar;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An archive that arrives in buffers. Data within one buffer is returned as a slice; other data is
 * copied.
 */
final class BufferSequenceInput implements TarInput {
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);

  private final BufferSource source;
  private ByteBuffer current = EMPTY;

  /** The current buffer's bytes, with a separate position. */
  private ByteBuffer view = EMPTY;

  private ByteBuffer window = EMPTY;
  private ByteBuffer assembled = EMPTY;
  private long position;
  private boolean ended;

  BufferSequenceInput(BufferSource source) {
    this.source = source;
  }

  @Override
  public long position() {
    return position;
  }

  @Override
  public boolean take(int length) throws IOException {
    if (current.remaining() >= length) {
      window = view.position(current.position());
      pass(length);
      return true;
    }
    if (assembled.capacity() < length) {
      assembled = ByteBuffer.allocate(length);
    }
    assembled.clear().limit(length);
    while (assembled.hasRemaining() && read(assembled) >= 0) {
      // continue until the block is complete
    }
    window = assembled.flip();
    return window.remaining() == length;
  }

  @Override
  public ByteBuffer window() {
    return window;
  }

  @Override
  public boolean skip(long length) throws IOException {
    long left = length;
    while (left > 0 && hasBytes()) {
      int step = (int) Math.min(left, current.remaining());
      pass(step);
      left -= step;
    }
    return left == 0;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (!hasBytes()) {
      return -1;
    }
    int length = Math.min(target.remaining(), current.remaining());
    target.put(target.position(), current, current.position(), length);
    target.position(target.position() + length);
    pass(length);
    return length;
  }

  @Override
  public ByteBuffer read(int length) throws IOException {
    if (length == 0 || (hasBytes() && current.remaining() >= length)) {
      ByteBuffer slice = current.slice(current.position(), length);
      pass(length);
      return slice;
    }
    return TarInput.super.read(length);
  }

  /** Reads to the end: only the source's end proves that everything arrived. */
  @Override
  public long drain() throws IOException {
    long found = -1;
    while (hasBytes()) {
      if (found < 0) {
        int index = TarFormat.firstNonZero(current);
        found = index < 0 ? -1 : position + index - current.position();
      }
      pass(current.remaining());
    }
    return found;
  }

  @Override
  public void close() {}

  private void pass(int length) {
    current.position(current.position() + length);
    position += length;
  }

  private boolean hasBytes() throws IOException {
    while (!current.hasRemaining() && !ended) {
      @Nullable ByteBuffer next = source.next();
      ended = next == null;
      current = next == null ? EMPTY : next.slice();
      view = current.duplicate();
    }
    return current.hasRemaining();
  }
}
