package dev.tarn.gateway.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory for file bytes that wait for TLS clients; all these clients share it. A buffer is
 * large while enough memory is left. After that, each client gets one TLS record at a time. Clients
 * that read nothing then cost little, however many they are, and delay nobody. The concurrent file
 * reads need additional buffers, one each.
 */
final class ReadMemory {
  static final int LARGE_BYTES = 128 << 10;
  static final int SMALL_BYTES = 16 << 10;

  private static final long LARGE_BUFFERS_BYTES_MAX = 32 << 20;
  private static final int READS_MAX = 32;

  private final AtomicLong taken = new AtomicLong();
  private final Semaphore reads = new Semaphore(READS_MAX);

  /** Runs a read when fewer than the maximum number of reads are running. Waits until then. */
  void reading(Runnable read) {
    reads.acquireUninterruptibly();
    try {
      read.run();
    } finally {
      reads.release();
    }
  }

  /** Takes memory for one buffer. Returns its size in bytes, at most {@code wanted}. */
  int take(long wanted) {
    int large = (int) Math.min(LARGE_BYTES, wanted);
    if (taken.addAndGet(large) <= LARGE_BUFFERS_BYTES_MAX) {
      return large;
    }
    int small = Math.min(SMALL_BYTES, large);
    taken.addAndGet(small - large);
    return small;
  }

  /** Returns memory to the shared amount. */
  void release(int bytes) {
    taken.addAndGet(-bytes);
  }
}
