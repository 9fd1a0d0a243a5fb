package dev.tarn.client.internal.prefetch;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Buffers of whole parts that are to be used again. They do not count as used, and so go as soon as
 * what is used needs their room. For use by many threads.
 *
 * <p>Parts of files lie out of the heap, where the system writes them without a copy in between;
 * but for those that are far shorter than a whole one, which would take too much of the budget.
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
   * How much memory a part takes.
   *
   * @param bytes its own
   * @param length of a whole part
   */
  static int capacity(int bytes, int length, boolean isOfFile) {
    return isOfFile && bytes > length / 8 * EIGHTHS_MIN ? length : bytes;
  }

  /** Keeps a buffer, if it is of a whole part. */
  synchronized void put(ByteBuffer buffer) {
    if (buffer.capacity() == length) {
      (buffer.isDirect() ? outOfHeap : inHeap).push(buffer);
    }
  }

  /**
   * A buffer of that capacity: one of these, or else another.
   *
   * @param isOfFile whether it may lie out of the heap
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

  /** Lets go of as many as do not fit into so many bytes. */
  synchronized void trim(long bytesMax) {
    while (bytes() > Math.max(0, bytesMax)) {
      if (inHeap.poll() == null) {
        IdleBuffers.put(outOfHeap.remove());
      }
    }
  }

  /** Lets go of all. */
  synchronized void clear() {
    trim(0);
  }

  /** How many bytes they are. */
  synchronized long bytes() {
    return (long) (inHeap.size() + outOfHeap.size()) * length;
  }
}
