package dev.tarn.shard.index;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A section that grows while an index is built. */
final class SectionBuffer {
  private static final int LEAST_CAPACITY = 4096;
  private static final int LARGEST_CAPACITY = Integer.MAX_VALUE - 8;

  private ByteBuffer buffer;

  /**
   * @param expected its estimated length in bytes
   */
  SectionBuffer(long expected) {
    int capacity = (int) Math.min(Math.max(expected, LEAST_CAPACITY), LARGEST_CAPACITY);
    buffer = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns the buffer, with room for at least {@code length} more bytes. */
  ByteBuffer room(int length) {
    if (buffer.remaining() < length) {
      long wanted = Math.max(buffer.capacity() * 2L, (long) buffer.position() + length);
      int capacity = (int) Math.min(wanted, LARGEST_CAPACITY);
      if (capacity - buffer.position() < length) {
        throw new IllegalStateException("a section of the shard's index would exceed 2 GiB");
      }
      ByteBuffer larger = ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
      buffer = larger.put(buffer.flip());
    }
    return buffer;
  }

  int length() {
    return buffer.position();
  }

  /** Returns what was written. */
  ByteBuffer written() {
    return buffer.duplicate().flip();
  }
}
