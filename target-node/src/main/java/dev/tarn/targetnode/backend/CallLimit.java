package dev.tarn.targetnode.backend;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.Serial;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Bounds the requests to one backend that wait for its answer. The bound adapts: it grows by one
 * with as many answers as it allows requests, and shrinks when the backend asks for fewer requests
 * or does not answer in time. Further requests wait for their turn, in order.
 */
final class CallLimit {
  private static final int LEAST = 8;
  private static final long WAIT_SECONDS_MAX = 30;
  private static final double SHRINK = 0.7;

  /** Refusals of calls that were in progress together count as one. */
  private static final long SHRINK_EVERY_NANOS = 1_000_000_000L;

  private static final long PAUSE_NANOS_MAX = 10_000_000_000L;

  private final int most;
  private final LongSupplier nanos;
  private final Turns turns;
  private final ReentrantLock lock = new ReentrantLock();
  private int bound;
  private int answers;
  private volatile long resumeNanos;
  private long shrunkNanos;

  private static final class Turns extends Semaphore {
    @Serial private static final long serialVersionUID = 1L;

    Turns(int count) {
      super(count, true);
    }

    void remove(int count) {
      reducePermits(count);
    }
  }

  /**
   * A bound that begins at its most.
   *
   * @param most requests in progress
   * @param nanos a monotonic clock
   */
  CallLimit(int most, LongSupplier nanos) {
    this.most = most;
    this.nanos = nanos;
    this.turns = new Turns(most);
    this.bound = most;
    this.resumeNanos = nanos.getAsLong();
    this.shrunkNanos = resumeNanos - SHRINK_EVERY_NANOS;
  }

  /**
   * Waits for the turn of a request, which must {@link #leave}; blocks.
   *
   * @throws IOException if the turn does not come for {@value #WAIT_SECONDS_MAX} s
   */
  void enter() throws IOException {
    try {
      if (!turns.tryAcquire(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
        throw new IOException(
            "no request could be sent for "
                + WAIT_SECONDS_MAX
                + " s, because too many wait for an answer");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted before a request was sent");
    }
    for (long left = resumeNanos - nanos.getAsLong();
        left > 0 && !Thread.currentThread().isInterrupted();
        left = resumeNanos - nanos.getAsLong()) {
      LockSupport.parkNanos(left);
    }
  }

  /**
   * Takes a turn that is free now, for a request that must {@link #leave}; false if there is none.
   */
  boolean entersNow() {
    return resumeNanos - nanos.getAsLong() <= 0 && turns.tryAcquire();
  }

  /** A request has been answered, or has failed. */
  void leave() {
    turns.release();
  }

  /** The backend has answered a request. */
  void answered() {
    lock.lock();
    try {
      answers++;
      if (answers >= bound && bound < most) {
        bound++;
        answers = 0;
        turns.release();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The backend has asked for fewer requests, or has not answered in time.
   *
   * @param pause that the backend wants before the next request; at most 10 s of it are kept
   */
  void overloaded(Duration pause) {
    lock.lock();
    try {
      long now = nanos.getAsLong();
      resumeNanos = Math.max(resumeNanos, now + Math.min(pause.toNanos(), PAUSE_NANOS_MAX));
      answers = 0;
      if (now - shrunkNanos < SHRINK_EVERY_NANOS) {
        return;
      }
      shrunkNanos = now;
      int shrunk = Math.max(Math.min(LEAST, most), (int) (bound * SHRINK));
      turns.remove(bound - shrunk);
      bound = shrunk;
    } finally {
      lock.unlock();
    }
  }

  /** How many requests may be in progress now. */
  int bound() {
    lock.lock();
    try {
      return bound;
    } finally {
      lock.unlock();
    }
  }
}
