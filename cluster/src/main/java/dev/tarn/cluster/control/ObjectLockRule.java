package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectLock.Mode;
import dev.tarn.cluster.object.ObjectLock.Retention;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;

/**
 * The object lock of a bucket: its versions can be protected. Once a bucket has it, it stays, and
 * the bucket keeps versions.
 *
 * @param ofNewVersions the retention of versions that are written without one of their own
 */
public record ObjectLockRule(Optional<DefaultRetention> ofNewVersions) {
  public ObjectLockRule {
    requireNonNull(ofNewVersions, "ofNewVersions is null");
  }

  /**
   * The attributes of a version that is written now: with the retention of new versions, unless
   * they have one.
   *
   * @param nowMs in milliseconds since 1970
   */
  public ObjectAttributes applyTo(ObjectAttributes attributes, long nowMs) {
    ObjectLock lock = attributes.lock();
    return ofNewVersions.isEmpty() || lock.retention().isPresent()
        ? attributes
        : attributes.with(
            new ObjectLock(Optional.of(ofNewVersions.orElseThrow().from(nowMs)), lock.legalHold()));
  }

  /** The unit of a period. */
  public enum Unit {
    DAYS,
    YEARS;

    /** In the order of their codes in messages; append only. */
    static final List<Unit> CODES = List.of(DAYS, YEARS);
  }

  /**
   * A retention that begins when a version is written.
   *
   * @param count of days or years, 1 to {@link #DAYS_MAX} or {@link #YEARS_MAX}
   */
  public record DefaultRetention(Mode mode, int count, Unit unit) {
    /** The greatest number of days, as on AWS. */
    public static final int DAYS_MAX = 36_500;

    /** The greatest number of years, as on AWS. */
    public static final int YEARS_MAX = 100;

    public DefaultRetention {
      requireNonNull(mode, "mode is null");
      requireNonNull(unit, "unit is null");
      if (count < 1 || count > (unit == Unit.DAYS ? DAYS_MAX : YEARS_MAX)) {
        throw new IllegalArgumentException("a retention of " + count + " " + unit);
      }
    }

    /** The retention of a version that is written at this time, in milliseconds since 1970. */
    public Retention from(long writtenMs) {
      var written = Instant.ofEpochMilli(writtenMs).atOffset(ZoneOffset.UTC);
      var until = unit == Unit.DAYS ? written.plusDays(count) : written.plusYears(count);
      return new Retention(mode, until.toInstant().toEpochMilli());
    }
  }
}
