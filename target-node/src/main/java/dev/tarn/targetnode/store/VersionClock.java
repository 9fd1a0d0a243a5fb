package dev.tarn.targetnode.store;

import dev.tarn.cluster.object.ObjectVersion;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Gives versions. A hybrid clock: the wall's time, but never behind a time it has given already;
 * within one millisecond a sequence counts. For the committing thread alone.
 */
final class VersionClock {
  private final Clock clock;
  private final LongSupplier mapEpoch;
  private long lastMs;
  private long lastEpoch;
  private int sequence;

  /**
   * A clock that goes on from a time.
   *
   * @param lastMs the greatest time that may have been given already
   */
  VersionClock(Clock clock, LongSupplier mapEpoch, long lastMs) {
    this.clock = clock;
    this.mapEpoch = mapEpoch;
    this.lastMs = lastMs;
    this.sequence = Integer.MAX_VALUE;
  }

  ObjectVersion next() {
    long now = nowMs();
    if (now > lastMs) {
      lastMs = now;
      sequence = 0;
    } else if (sequence == Integer.MAX_VALUE) {
      lastMs++;
      sequence = 0;
    } else {
      sequence++;
    }
    return new ObjectVersion(mapEpoch(), lastMs, sequence);
  }

  /** The present map epoch; never behind one that it gave before. */
  long mapEpoch() {
    lastEpoch = Math.max(lastEpoch, mapEpoch.getAsLong());
    return lastEpoch;
  }

  long nowMs() {
    return Math.max(clock.millis(), lastMs);
  }

  /** The greatest time given so far. */
  long lastMs() {
    return lastMs;
  }
}
