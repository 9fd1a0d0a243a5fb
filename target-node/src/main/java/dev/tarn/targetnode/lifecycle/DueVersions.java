package dev.tarn.targetnode.lifecycle;

import dev.tarn.cluster.control.LifecycleRule;
import dev.tarn.cluster.control.LifecycleRule.OfLoneDeleteMarkers;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides which versions a rule expires now. The versions must come key by key, each newest first.
 * A version stops being current when the version above it is created, so the time of that one
 * counts.
 */
final class DueVersions {
  private final Iterable<LifecycleRule> rules;
  private final long nowMs;
  private @Nullable VersionEntry newer;
  private int noncurrent;

  /**
   * Decides by these rules.
   *
   * @param rules enabled ones
   */
  DueVersions(Iterable<LifecycleRule> rules, long nowMs) {
    this.rules = rules;
    this.nowMs = nowMs;
  }

  /**
   * Whether a rule expires the next version.
   *
   * @param tags of the version, fetched only if they decide
   */
  boolean isDue(VersionEntry version, Supplier<Map<String, String>> tags) {
    boolean current = version.latest();
    VersionEntry above = newer;
    noncurrent = current ? 0 : noncurrent + 1;
    newer = version;
    if (current || above == null) {
      return !version.deleteMarker() && isExpired(version, tags);
    }
    for (LifecycleRule rule : rules) {
      if (isReplacedLongAgo(rule, above) && isCovered(rule, version, tags)) {
        return true;
      }
    }
    return false;
  }

  private boolean isExpired(VersionEntry version, Supplier<Map<String, String>> tags) {
    for (LifecycleRule rule : rules) {
      if (rule.expiresMs(version.modifiedMs()).orElse(Long.MAX_VALUE) <= nowMs
          && isCovered(rule, version, tags)) {
        return true;
      }
    }
    return false;
  }

  private boolean isReplacedLongAgo(LifecycleRule rule, VersionEntry above) {
    OptionalInt days = rule.noncurrentDays();
    return days.isPresent()
        && LifecycleRule.daysAfter(above.modifiedMs(), days.orElseThrow()) <= nowMs
        && noncurrent > rule.newerNoncurrentVersions().orElse(0);
  }

  private static boolean isCovered(
      LifecycleRule rule, VersionEntry version, Supplier<Map<String, String>> tags) {
    return rule.filter().includes(version.key(), version.sizeBytes(), tags);
  }

  /** Whether a rule expires a delete marker that is the only version of its key. */
  boolean isLoneMarkerDue(VersionEntry marker) {
    for (LifecycleRule rule : rules) {
      boolean due =
          rule.expiration().filter(OfLoneDeleteMarkers.class::isInstance).isPresent()
              || rule.expiresMs(marker.modifiedMs()).orElse(Long.MAX_VALUE) <= nowMs;
      if (due && rule.filter().includes(marker.key(), marker.sizeBytes(), Map::of)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a rule aborts an upload to this key that began at this time. */
  boolean isUploadDue(ObjectKey key, long initiatedMs) {
    for (LifecycleRule rule : rules) {
      OptionalInt days = rule.abortUploadsAfterDays();
      if (days.isPresent()
          && LifecycleRule.daysAfter(initiatedMs, days.orElseThrow()) <= nowMs
          && rule.filter().includes(key)) {
        return true;
      }
    }
    return false;
  }
}
