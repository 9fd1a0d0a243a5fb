package dev.tarn.client.storage.remote;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Which targets can be reached from here. One that failed is left alone for a minute, and for twice
 * as long each time it fails again, an hour at most; then one request tries it, and the others wait
 * for nothing. For use by many threads at once.
 */
final class ReachedTargets {
  private static final Logger LOG = System.getLogger(ReachedTargets.class.getName());
  private static final int TARGETS_MAX = 1_000;
  private static final long PAUSE_NANOS_MIN = Duration.ofMinutes(1).toNanos();
  private static final long PAUSE_NANOS_MAX = Duration.ofHours(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<String, Target> targets = new RecentEntries<>(TARGETS_MAX);
  private boolean anyReached;
  private boolean anyFailed;
  private long lastPauseEndNanos;

  ReachedTargets(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** What is known of a target; nothing at first. */
  private static final class Target {
    private boolean isReached;
    private boolean isTried;
    private long pauseNanos;
    private long pauseEndNanos;
  }

  /**
   * Whether a request may go to a target now. Its outcome must be told: {@link #reached}, {@link
   * #failed} or {@link #notTold}.
   */
  synchronized boolean mayTry(String name) {
    Target target = target(name);
    if (target.isReached) {
      return true;
    }
    boolean isPaused = target.pauseNanos > 0 && target.pauseEndNanos - nanoTime.getAsLong() > 0;
    if (isPaused || target.isTried) {
      return false;
    }
    target.isTried = true;
    return true;
  }

  /** As long as no target was ever reached one that cannot be speaks for all of them. */
  synchronized boolean areWorthAsking() {
    return anyReached || !anyFailed || lastPauseEndNanos - nanoTime.getAsLong() <= 0;
  }

  synchronized void reached(String name) {
    anyReached = true;
    Target target = target(name);
    target.isReached = true;
    target.isTried = false;
    target.pauseNanos = 0;
  }

  /** The request ended for reasons of its own, which say nothing of the target. */
  synchronized void notTold(String name) {
    target(name).isTried = false;
  }

  /** The first of the requests that were under way speaks for all. */
  synchronized void failed(String name, String problem) {
    Target target = target(name);
    long now = nanoTime.getAsLong();
    if (target.pauseNanos > 0 && target.pauseEndNanos - now > 0) {
      return;
    }
    target.isReached = false;
    target.isTried = false;
    target.pauseNanos =
        target.pauseNanos == 0 ? PAUSE_NANOS_MIN : Math.min(PAUSE_NANOS_MAX, 2 * target.pauseNanos);
    target.pauseEndNanos = now + target.pauseNanos;
    anyFailed = true;
    lastPauseEndNanos = target.pauseEndNanos;
    LOG.log(
        Level.INFO,
        "the target at {0} {1}; its objects are read through the gateway for the next {2} s",
        name,
        problem,
        TimeUnit.NANOSECONDS.toSeconds(target.pauseNanos));
  }

  private Target target(String name) {
    return targets.computeIfAbsent(name, unknown -> new Target());
  }
}
