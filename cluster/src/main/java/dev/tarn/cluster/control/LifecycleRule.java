package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectKey;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * When a bucket's objects expire: one Rule of S3.
 *
 * @param id unique in the bucket; 1 to 255 characters
 * @param enabled whether the rule applies
 * @param filter which objects it applies to
 * @param expiration when current versions expire
 * @param noncurrentDays how many days after its replacement a version expires
 * @param newerNoncurrentVersions how many noncurrent versions of a key stay nevertheless
 * @param abortUploadsAfterDays how many days after its begin an upload is aborted
 */
public record LifecycleRule(
    String id,
    boolean enabled,
    Filter filter,
    Optional<Expiration> expiration,
    OptionalInt noncurrentDays,
    OptionalInt newerNoncurrentVersions,
    OptionalInt abortUploadsAfterDays) {
  private static final long DAY_MS = 86_400_000;

  public LifecycleRule {
    requireNonNull(id, "id is null");
    requireNonNull(filter, "filter is null");
    requireNonNull(expiration, "expiration is null");
    requirePositive("noncurrent days", noncurrentDays);
    requirePositive("newer noncurrent versions", newerNoncurrentVersions);
    requirePositive("days until uploads are aborted", abortUploadsAfterDays);
    if (expiration.isEmpty() && noncurrentDays.isEmpty() && abortUploadsAfterDays.isEmpty()) {
      throw new IllegalArgumentException("lifecycle rule '" + id + "' does nothing");
    }
  }

  private static void requirePositive(String what, OptionalInt number) {
    requireNonNull(number, what);
    if (number.isPresent() && number.orElseThrow() < 1) {
      throw new IllegalArgumentException(
          what + " is " + number.orElseThrow() + ", must be at least 1");
    }
  }

  /**
   * Selects the objects that a rule applies to: those that meet all conditions.
   *
   * @param prefix of the key; empty for any
   * @param tags that the object must have, at most {@link Filter#TAGS_MAX}; empty for any
   * @param largerThanBytes only objects larger than this
   * @param smallerThanBytes only objects smaller than this
   * @param plainPrefix whether the rule was put with a Prefix in place of a Filter, as older
   *     clients do; changes only how the rule is shown
   */
  public record Filter(
      String prefix,
      Map<String, String> tags,
      OptionalLong largerThanBytes,
      OptionalLong smallerThanBytes,
      boolean plainPrefix) {
    /** An object has at most this many tags, so a filter with more would match nothing. */
    public static final int TAGS_MAX = 10;

    /** All objects. */
    public static final Filter ALL =
        new Filter("", Map.of(), OptionalLong.empty(), OptionalLong.empty());

    public Filter {
      requireNonNull(prefix, "prefix is null");
      tags = Map.copyOf(tags);
      if (tags.size() > TAGS_MAX) {
        throw new IllegalArgumentException(
            "filter has " + tags.size() + " tags, may have " + TAGS_MAX);
      }
      requireNonNull(largerThanBytes, "largerThanBytes is null");
      requireNonNull(smallerThanBytes, "smallerThanBytes is null");
      if (plainPrefix
          && (!tags.isEmpty() || largerThanBytes.isPresent() || smallerThanBytes.isPresent())) {
        throw new IllegalArgumentException("filter has a plain prefix and other conditions");
      }
    }

    /** A filter that was put as a Filter. */
    public Filter(
        String prefix,
        Map<String, String> tags,
        OptionalLong largerThanBytes,
        OptionalLong smallerThanBytes) {
      this(prefix, tags, largerThanBytes, smallerThanBytes, false);
    }

    /** Whether the filter depends on the key only. */
    public boolean isByPrefixAlone() {
      return tags.isEmpty() && largerThanBytes.isEmpty() && smallerThanBytes.isEmpty();
    }

    /**
     * Whether the rule applies to an object of this key, this size and these tags.
     *
     * @param objectTags called only if the tags decide
     */
    public boolean includes(
        ObjectKey key, long sizeBytes, Supplier<Map<String, String>> objectTags) {
      return includes(key)
          && (largerThanBytes.isEmpty() || sizeBytes > largerThanBytes.orElseThrow())
          && (smallerThanBytes.isEmpty() || sizeBytes < smallerThanBytes.orElseThrow())
          && (tags.isEmpty() || objectTags.get().entrySet().containsAll(tags.entrySet()));
    }

    /** Whether the rule can apply to objects of this key. */
    public boolean includes(ObjectKey key) {
      return prefix.isEmpty() || key.text().startsWith(prefix);
    }
  }

  /**
   * The first midnight UTC that is at least so many days after a time; in milliseconds since 1970.
   */
  public static long daysAfter(long timeMs, int days) {
    return -Math.floorDiv(-(timeMs + days * DAY_MS), DAY_MS) * DAY_MS;
  }

  /** When a current version of this time expires, if time decides; in milliseconds since 1970. */
  public OptionalLong expiresMs(long modifiedMs) {
    if (!enabled) {
      return OptionalLong.empty();
    }
    Expiration when = expiration.orElse(null);
    if (when instanceof AfterDays after) {
      return OptionalLong.of(daysAfter(modifiedMs, after.days()));
    }
    return when instanceof OnDate on ? OptionalLong.of(on.timeMs()) : OptionalLong.empty();
  }

  /** When current versions expire. */
  public sealed interface Expiration {}

  /** So many days after the object was created, rounded up to midnight UTC. */
  public record AfterDays(int days) implements Expiration {
    public AfterDays {
      if (days < 1) {
        throw new IllegalArgumentException(
            "expiration is after " + days + " days, must be 1 or more");
      }
    }
  }

  /** From a midnight UTC on, in milliseconds since 1970. */
  public record OnDate(long timeMs) implements Expiration {
    public OnDate {
      if (timeMs % DAY_MS != 0) {
        throw new IllegalArgumentException("expiration date is not at midnight UTC");
      }
    }
  }

  /** Only delete markers expire, as soon as they are the last version of their key. */
  public record OfLoneDeleteMarkers() implements Expiration {}
}
