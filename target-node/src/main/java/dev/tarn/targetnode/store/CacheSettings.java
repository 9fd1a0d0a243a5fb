package dev.tarn.targetnode.store;

import static java.util.Objects.requireNonNull;

import dev.tarn.targetnode.store.residents.CachePolicy;
import dev.tarn.targetnode.store.residents.Lru;
import dev.tarn.targetnode.store.residents.Tenure;
import dev.tarn.targetnode.store.residents.Ticks;
import dev.tarn.targetnode.store.room.Watermarks;
import java.time.Duration;

/**
 * The settings of the cache on one disk.
 *
 * @param policy what leaves when the cache is full: with tenure, what is least likely to be read
 *     again, and new units enter only if they are clearly better; with lru, what was not read for
 *     longest
 * @param bytesMax the most that cached bytes may take, however much is free; 0 for no bound
 * @param pauseMin with tenure: a bucket that was read within this time is in use
 * @param sameReadMax with tenure: reads of a unit that are no farther apart count as one
 * @param highWatermark the share of the disk, without the reserve, above which cached data begins
 *     to leave; 0 keeps 5 % of the disk free, at most 1 GiB
 * @param lowWatermark the share down to which it leaves; 0 for the same as high-watermark
 */
public record CacheSettings(
    Policy policy,
    long bytesMax,
    Duration pauseMin,
    Duration sameReadMax,
    double highWatermark,
    double lowWatermark) {
  // Before the default, which is checked by it.
  private static final Duration FLOOR_MAX = Duration.ofDays(100);

  /** The default policy, on as much of the disk as primary bytes leave. */
  public static final CacheSettings DEFAULT =
      new CacheSettings(Policy.TENURE, 0, Duration.ofMinutes(5), Duration.ofSeconds(5), 0, 0);

  /** The names of the policies. */
  public enum Policy {
    TENURE,
    LRU
  }

  public CacheSettings {
    requireNonNull(policy, "policy is null");
    if (bytesMax < 0) {
      throw new IllegalArgumentException("bytesMax is " + bytesMax + ", must not be negative");
    }
    requireFloor("pauseMin", pauseMin);
    requireFloor("sameReadMax", sameReadMax);
    var _ = new Watermarks(highWatermark, lowWatermark); // Checks them.
  }

  /** These settings with another policy and bound. */
  public CacheSettings with(Policy changed, long bound) {
    return new CacheSettings(changed, bound, pauseMin, sameReadMax, highWatermark, lowWatermark);
  }

  Watermarks watermarks() {
    return new Watermarks(highWatermark, lowWatermark);
  }

  private static void requireFloor(String name, Duration floor) {
    if (floor.isNegative() || floor.compareTo(FLOOR_MAX) > 0) {
      throw new IllegalArgumentException(
          name + " is " + floor + ", must be 0 to " + FLOOR_MAX.toDays() + " days");
    }
  }

  /** The most that cached units may take. */
  long bound() {
    return bytesMax == 0 ? Long.MAX_VALUE : bytesMax;
  }

  /** A new policy. */
  CachePolicy newPolicy() {
    return switch (policy) {
      case TENURE -> new Tenure(new Tenure.Floors(Ticks.of(pauseMin), Ticks.of(sameReadMax)));
      case LRU -> new Lru();
    };
  }
}
