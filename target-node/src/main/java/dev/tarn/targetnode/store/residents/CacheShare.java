package dev.tarn.targetnode.store.residents;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.CacheRule;
import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.object.ObjectKey;

/**
 * What a bucket may have of the cache of a disk.
 *
 * @param bytesMin so many bytes are not displaced for other buckets
 * @param bytesMax the most that it may have; 0 if nothing may stay
 * @param rules those that pin keys count here
 */
public record CacheShare(long bytesMin, long bytesMax, CacheRules rules) {
  /** A bucket without bounds. */
  public static final CacheShare ANY = new CacheShare(0, Long.MAX_VALUE, CacheRules.NONE);

  /** A bucket that is deleted. */
  public static final CacheShare NONE = new CacheShare(0, 0, CacheRules.NONE);

  public CacheShare {
    requireNonNull(rules, "rules is null");
    if (bytesMin < 0 || bytesMax < bytesMin) {
      throw new IllegalArgumentException(
          "share is " + bytesMin + " to " + bytesMax + " bytes, must be an ascending range");
    }
  }

  /** Whether the entry with this key is pinned. */
  boolean pins(ObjectKey key) {
    return rules.mode(key) == CacheRule.Mode.PIN;
  }
}
