package dev.tarn.targetnode.store;

import dev.tarn.cluster.object.ObjectVersion;
import java.time.Clock;
import java.util.function.LongSupplier;

/**
 * Assigns versions by a hybrid clock: the wall clock, but never earlier than a time already
 * assigned. A sequence tells apart versions of one millisecond. For the committing thread only.
 */
final class VersionClock {
  private final Clock clock;
  private final LongSupplier mapEpoch;
  private long lastMs;
  private long lastEpoch;
  private int sequence;

  /**
   * Continues from a time.
   *
   * @param lastMs the greatest time that may have been assigned already, in milliseconds since 1970
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

  /** The present map epoch; never less than one that it returned before. */
  long mapEpoch() {
    lastEpoch = Math.max(lastEpoch, mapEpoch.getAsLong());
    return lastEpoch;
  }

  long nowMs() {
    return Math.max(clock.millis(), lastMs);
  }

  /** The greatest time assigned so far, in milliseconds since 1970. */
  long lastMs() {
    return lastMs;
  }
}
