package dev.tarn.client.internal.prefetch;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Threads that work for an epoch: their end, and their interrupts. */
public final class Threads {
  /**
   * A function of the user's that passes over an interrupt, and a storage of the user's that does,
   * are left behind, to end by themselves.
   */
  private static final long WAIT_MS = 2_000;

  private Threads() {}

  /** Interrupts them and waits, for a bounded time in all, until they have ended. */
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

  /** What to throw where a wait for data was interrupted; the thread stays so. */
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
