package dev.tarn.gateway.http;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory in which files wait for their TLS clients, shared by all of them. While there is
 * enough of it a buffer is large; beyond that each client goes on with one TLS record at a time, so
 * that clients who read nothing, however many, cost little and hold up nobody. So many buffers as
 * files are read at the same time come on top.
 */
final class ReadMemory {
  static final int LARGE_BYTES = 128 << 10;
  static final int SMALL_BYTES = 16 << 10;

  private static final long LARGE_BUFFERS_BYTES_MAX = 32 << 20;
  private static final int READS_MAX = 32;

  private final AtomicLong taken = new AtomicLong();
  private final Semaphore reads = new Semaphore(READS_MAX);

  /** Runs a read as soon as few enough others run. */
  void reading(Runnable read) {
    reads.acquireUninterruptibly();
    try {
      read.run();
    } finally {
      reads.release();
    }
  }

  /** Takes as much as a buffer may have now, at most what is wanted. */
  int take(long wanted) {
    int large = (int) Math.min(LARGE_BYTES, wanted);
    int size =
        taken.get() + large <= LARGE_BUFFERS_BYTES_MAX ? large : Math.min(SMALL_BYTES, large);
    taken.addAndGet(size);
    return size;
  }

  /** Gives back what was taken. */
  void release(int bytes) {
    taken.addAndGet(-bytes);
  }
}
