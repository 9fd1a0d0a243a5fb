package dev.tarn.sharder.pack;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The buffers of a run: their number and size bound its memory.
 *
 * <p>They are in the heap, since both checksums read arrays fastest, and each has one byte of room
 * beyond a segment.
 */
final class Buffers {
  /** Segments that wait for their turn while every worker fills another. */
  private static final int SPARE = 2;

  private static final int USUAL_CAPACITY = 1024 * 1024;
  private static final int LARGEST_CAPACITY = 4 * 1024 * 1024;
  private static final int BUDGET = 64 * 1024 * 1024;

  private final BlockingQueue<ByteBuffer> free;
  private final int capacity;

  /**
   * @param jobs workers that fill them
   * @param largestSample which buffers should hold if the budget allows
   */
  Buffers(int jobs, long largestSample) {
    int count = jobs + SPARE;
    long affordable = Math.min(BUDGET / count, LARGEST_CAPACITY);
    capacity = (int) Math.clamp(Math.max(USUAL_CAPACITY, largestSample), 64 * 1024, affordable);
    free = new ArrayBlockingQueue<>(count);
    for (int i = 0; i < count; i++) {
      free.add(ByteBuffer.allocate(capacity + 1));
    }
  }

  /** The longest segment that a buffer holds. */
  int capacity() {
    return capacity;
  }

  ByteBuffer take() throws InterruptedException {
    return free.take().clear();
  }

  void put(ByteBuffer buffer) throws InterruptedException {
    free.put(buffer);
  }
}
