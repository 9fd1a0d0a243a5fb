package dev.tarn.client.internal.http;

import dev.tarn.shard.LruMap;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Tracks which targets this client can reach. All requests go to a target until one fails. A target
 * that failed gets no requests for a minute, and for twice as long after each further failure, up
 * to an hour. Then one request tries the target, while the others still go to the gateway. Safe for
 * several threads.
 */
public final class ReachedTargets {
  private static final Logger LOG = System.getLogger(ReachedTargets.class.getName());
  private static final int TARGETS_MAX = 1_000;
  private static final long PAUSE_NANOS_MIN = Duration.ofMinutes(1).toNanos();
  private static final long PAUSE_NANOS_MAX = Duration.ofHours(1).toNanos();

  private final LongSupplier nanoTime;
  private final Map<String, Target> targets = new LruMap<>(TARGETS_MAX);
  private boolean anyReached;
  private boolean anyFailed;
  private long lastPauseEndNanos;

  /** Knows no target yet. */
  public ReachedTargets(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** The state of one target; all zero unless its last request failed. */
  private static final class Target {
    private boolean isTried;
    private long pauseNanos;
    private long pauseEndNanos;
  }

  /**
   * Whether a request may go to a target now. The caller must report its outcome by {@link
   * #reached}, {@link #failed} or {@link #unknown}.
   */
  public synchronized boolean mayTry(String name) {
    Target target = target(name);
    if (target.pauseNanos == 0) {
      return true;
    }
    if (target.isTried || target.pauseEndNanos - nanoTime.getAsLong() > 0) {
      return false;
    }
    target.isTried = true;
    return true;
  }

  /**
   * Whether tickets are worth a request. As long as no target was ever reached, one failed target
   * stands for all.
   */
  public synchronized boolean areWorthAsking() {
    return anyReached || !anyFailed || lastPauseEndNanos - nanoTime.getAsLong() <= 0;
  }

  /** A request reached its target. */
  public synchronized void reached(String name) {
    anyReached = true;
    Target target = target(name);
    target.isTried = false;
    target.pauseNanos = 0;
  }

  /** A request ended for a reason that says nothing about its target. */
  public synchronized void unknown(String name) {
    target(name).isTried = false;
  }

  /** A request failed; requests that were in progress at the same time count as one failure. */
  public synchronized void failed(String name, String problem) {
    Target target = target(name);
    long now = nanoTime.getAsLong();
    if (target.pauseNanos > 0 && target.pauseEndNanos - now > 0) {
      return;
    }
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
    return targets.computeIfAbsent(name, key -> new Target());
  }
}
