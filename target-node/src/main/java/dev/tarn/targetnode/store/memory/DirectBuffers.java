package dev.tarn.targetnode.store.memory;

import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Direct buffers for reading, in sizes that are powers of two. Returned buffers are kept for reuse
 * up to a bound. The last one returned is used first, because the processor's cache still holds it.
 * The number of reads in progress bounds the number of buffers in use.
 */
public final class DirectBuffers {
  private static final int SMALLEST_SHIFT = 12;
  private static final int LARGEST_SHIFT = 22;

  /** The largest buffer in bytes. */
  public static final int BYTES_MAX = 1 << LARGEST_SHIFT;

  private final SizeClass[] classes = new SizeClass[LARGEST_SHIFT - SMALLEST_SHIFT + 1];

  /**
   * An empty pool.
   *
   * @param keptBytesMax how many bytes of each size are kept for reuse
   */
  public DirectBuffers(long keptBytesMax) {
    for (int i = 0; i < classes.length; i++) {
      int bytes = 1 << (SMALLEST_SHIFT + i);
      classes[i] = new SizeClass(bytes, (int) Math.max(1, keptBytesMax / bytes));
    }
  }

  /** A buffer of at least this many bytes, at most 4 MiB; must be returned exactly once. */
  public ByteBuffer take(int bytes) {
    return classOf(bytes).take();
  }

  /** Returns a buffer, which the caller must not use any more. */
  public void giveBack(ByteBuffer buffer) {
    classOf(buffer.capacity()).giveBack(buffer);
  }

  private SizeClass classOf(int bytes) {
    int shift = Math.max(SMALLEST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
    if (bytes < 0 || shift > LARGEST_SHIFT) {
      throw new IllegalArgumentException(
          "a buffer of " + bytes + " bytes was asked for, the largest has " + BYTES_MAX);
    }
    return classes[shift - SMALLEST_SHIFT];
  }

  private static final class SizeClass {
    private final int bytes;
    private final int keptMax;
    private final Deque<ByteBuffer> kept = new ConcurrentLinkedDeque<>();
    private final AtomicInteger count = new AtomicInteger();

    SizeClass(int bytes, int keptMax) {
      this.bytes = bytes;
      this.keptMax = keptMax;
    }

    ByteBuffer take() {
      ByteBuffer buffer = kept.poll();
      if (buffer == null) {
        return ByteBuffer.allocateDirect(bytes);
      }
      count.decrementAndGet();
      return buffer.clear();
    }

    void giveBack(ByteBuffer buffer) {
      if (count.incrementAndGet() <= keptMax) {
        kept.push(buffer);
      } else {
        count.decrementAndGet();
      }
    }
  }
}
