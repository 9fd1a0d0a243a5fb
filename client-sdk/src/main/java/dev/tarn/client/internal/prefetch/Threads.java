package dev.tarn.client.internal.prefetch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Ends and interrupts of an epoch's threads. */
public final class Threads {
  /**
   * A user's function or storage that ignores interrupts delays the close by this time at most; its
   * thread is left behind.
   */
  private static final long WAIT_MS = 2_000;

  private Threads() {}

  /** Interrupts the threads and waits until they have ended, for a bounded time in all. */
  public static void end(List<Thread> threads) {
    threads.forEach(Thread::interrupt);
    boolean interrupted = false;
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WAIT_MS);
    for (Thread thread : threads) {
      try {
        long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
        thread.join(Math.max(1, left));
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The exception for an interrupted wait for data; the thread's interrupt status stays set. */
  public static InterruptedIOException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    InterruptedIOException e = new InterruptedIOException("interrupted while waiting for data");
    e.initCause(cause);
    return e;
  }

  /** Throws the failure of another thread as it is, if there is one. */
  public static void rethrow(@Nullable Throwable failure) throws IOException {
    if (failure instanceof IOException e) {
      throw e;
    }
    if (failure instanceof RuntimeException e) {
      throw e;
    }
    if (failure instanceof Error e) {
      throw e;
    }
    if (failure != null) {
      throw new IOException(failure);
    }
  }
}
