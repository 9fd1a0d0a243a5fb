package dev.tarn.transport.body;

import java.nio.ByteBuffer;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;

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

  private static final int SIZE_CLASSES = LARGEST_SHIFT - SMALLEST_SHIFT + 1;

  private final long keptBytesMax;
  private final List<Deque<ByteBuffer>> kept =
      Stream.<Deque<ByteBuffer>>generate(ConcurrentLinkedDeque::new).limit(SIZE_CLASSES).toList();
  private final AtomicIntegerArray keptCounts = new AtomicIntegerArray(SIZE_CLASSES);

  /**
   * An empty pool.
   *
   * @param keptBytesMax how many bytes of each size are kept for reuse
   */
  public DirectBuffers(long keptBytesMax) {
    this.keptBytesMax = keptBytesMax;
  }

  /** A buffer of at least this many bytes, at most 4 MiB; must be returned exactly once. */
  public ByteBuffer take(int bytes) {
    int sizeClass = sizeClassOf(bytes);
    ByteBuffer buffer = kept.get(sizeClass).poll();
    if (buffer == null) {
      return ByteBuffer.allocateDirect(1 << (SMALLEST_SHIFT + sizeClass));
    }
    keptCounts.decrementAndGet(sizeClass);
    return buffer.clear();
  }

  /** Returns a buffer, which the caller must not use any more. */
  public void giveBack(ByteBuffer buffer) {
    int sizeClass = sizeClassOf(buffer.capacity());
    if (keptCounts.incrementAndGet(sizeClass) <= Math.max(1, keptBytesMax / buffer.capacity())) {
      kept.get(sizeClass).push(buffer);
    } else {
      keptCounts.decrementAndGet(sizeClass);
    }
  }

  /** The smallest size class with room for this many bytes, from 0. */
  private static int sizeClassOf(int bytes) {
    int shift = Math.max(SMALLEST_SHIFT, Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1));
    if (bytes < 0 || shift > LARGEST_SHIFT) {
      throw new IllegalArgumentException(
          "a buffer of " + bytes + " bytes was asked for, the largest has " + BYTES_MAX);
    }
    return shift - SMALLEST_SHIFT;
  }
}
