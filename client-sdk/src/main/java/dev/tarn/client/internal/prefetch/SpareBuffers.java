package dev.tarn.client.internal.prefetch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of full parts, kept for reuse. They do not count as used, and are dropped when the budget
 * needs their room. Safe for several threads.
 *
 * <p>Parts of files are in direct buffers, into which the system copies without an extra step.
 * Parts that are much shorter than a full one are in heap buffers, since a full buffer would take
 * too much of the budget.
 */
final class SpareBuffers {
  private static final int EIGHTHS_MIN = 7;

  private final int length;
  private final Deque<ByteBuffer> inHeap = new ArrayDeque<>();
  private final Deque<ByteBuffer> outOfHeap = new ArrayDeque<>();

  SpareBuffers(int length) {
    this.length = length;
  }

  /**
   * The capacity of the buffer for a part.
   *
   * @param bytes length of the part
   * @param length of a full part
   */
  static int capacity(int bytes, int length, boolean isOfFile) {
    return isOfFile && bytes > length / 8 * EIGHTHS_MIN ? length : bytes;
  }

  /** Keeps a buffer, if it has the length of a full part. */
  synchronized void put(ByteBuffer buffer) {
    if (buffer.capacity() == length) {
      (buffer.isDirect() ? outOfHeap : inHeap).push(buffer);
    }
  }

  /**
   * A buffer with this capacity, from the spare ones if possible.
   *
   * @param isOfFile whether it may be direct
   */
  ByteBuffer take(int capacity, boolean isOfFile) {
    if (capacity < length) {
      return ByteBuffer.allocate(capacity);
    }
    ByteBuffer spare = poll(isOfFile);
    if (spare != null) {
      return spare.clear();
    }
    return isOfFile ? IdleBuffers.take(length) : ByteBuffer.allocate(length);
  }

  private synchronized @Nullable ByteBuffer poll(boolean isOfFile) {
    ByteBuffer spare = isOfFile ? outOfHeap.poll() : null;
    return spare != null ? spare : inHeap.poll();
  }

  /** Drops buffers until they have at most {@code bytesMax} bytes. */
  synchronized void trim(long bytesMax) {
    while (bytes() > Math.max(0, bytesMax)) {
      if (inHeap.poll() == null) {
        IdleBuffers.put(outOfHeap.remove());
      }
    }
  }

  /** Drops all buffers. */
  synchronized void clear() {
    trim(0);
  }

  /** The bytes of all spare buffers. */
  synchronized long bytes() {
    return (long) (inHeap.size() + outOfHeap.size()) * length;
  }
}
