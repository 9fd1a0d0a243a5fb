package dev.tarn.shard.tar;

import java.nio.ByteBuffer;

/** An archive in memory or in a mapped file: data is returned as slices, without copies. */
final class BufferInput implements TarInput {
  private final ByteBuffer buffer;
  private final ByteBuffer window;

  BufferInput(ByteBuffer archive) {
    buffer = archive.slice().asReadOnlyBuffer();
    window = buffer.duplicate();
  }

  @Override
  public long position() {
    return buffer.position();
  }

  @Override
  public boolean take(int length) {
    window.position(buffer.position());
    return skip(length);
  }

  @Override
  public ByteBuffer window() {
    return window;
  }

  @Override
  public boolean skip(long length) {
    int step = (int) Math.min(length, buffer.remaining());
    buffer.position(buffer.position() + step);
    return step == length;
  }

  @Override
  public int read(ByteBuffer target) {
    int length = Math.min(target.remaining(), buffer.remaining());
    if (length == 0 && target.hasRemaining()) {
      return -1;
    }
    target.put(target.position(), buffer, buffer.position(), length);
    target.position(target.position() + length);
    skip(length);
    return length;
  }

  @Override
  public ByteBuffer read(int length) {
    int available = Math.min(length, buffer.remaining());
    ByteBuffer slice = buffer.slice(buffer.position(), available);
    skip(available);
    return slice;
  }

  @Override
  public long drain() {
    int end = buffer.limit();
    int lookedAt = buffer.position() + Math.min(REST_LENGTH_MAX, buffer.remaining());
    int found = TarFormat.firstNonZero(buffer.duplicate().limit(lookedAt));
    if (found < 0 && lookedAt < end) {
      int last = Math.max(lookedAt, end - TRAILER_LENGTH);
      found = TarFormat.firstNonZero(buffer.duplicate().position(last));
    }
    buffer.position(end);
    return found;
  }

  @Override
  public void close() {}
}
