package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What protects a version of an object from being removed: S3's object lock. It is kept in the
 * object's headers, by the names that S3 has for them.
 *
 * @param retention protects the version until a time
 * @param legalHold whether the version is protected until the hold is lifted
 */
public record ObjectLock(Optional<Retention> retention, boolean legalHold) {
  /** The header with the mode of the retention. */
  public static final String MODE = "x-amz-object-lock-mode";

  /** The header with the time at which the retention ends, in ISO 8601. */
  public static final String RETAIN_UNTIL = "x-amz-object-lock-retain-until-date";

  /** The header that says whether there is a legal hold. */
  public static final String LEGAL_HOLD = "x-amz-object-lock-legal-hold";

  /** The value of {@link #LEGAL_HOLD} for a version with a hold. */
  public static final String ON = "ON";

  /** All headers of a lock. */
  public static final Set<String> HEADERS = Set.of(MODE, RETAIN_UNTIL, LEGAL_HOLD);

  /** No protection. */
  public static final ObjectLock NONE = new ObjectLock(Optional.empty(), false);

  public ObjectLock {
    requireNonNull(retention, "retention is null");
  }

  /** Who may end a retention early. The names are those of S3. */
  public enum Mode {
    /** Callers with a permission of their own, {@code s3:BypassGovernanceRetention}. */
    GOVERNANCE,
    /** Nobody. */
    COMPLIANCE;

    /** In the order of their codes in messages; append only. */
    public static final List<Mode> CODES = List.of(GOVERNANCE, COMPLIANCE);
  }

  /**
   * A protection that ends by itself.
   *
   * @param untilMs when it ends, in milliseconds since 1970
   */
  public record Retention(Mode mode, long untilMs) {
    public Retention {
      requireNonNull(mode, "mode is null");
    }

    private boolean binds(long nowMs, boolean bypassesGovernance) {
      return untilMs > nowMs && !(mode == Mode.GOVERNANCE && bypassesGovernance);
    }

    private boolean isKeptBy(Retention other) {
      return other.mode == mode && other.untilMs >= untilMs;
    }
  }

  /** A change of one part of a lock. */
  public sealed interface Change {
    /** The lock after the change. */
    ObjectLock applyTo(ObjectLock before);

    /**
     * Replaces the retention.
     *
     * @param retention empty to remove it
     * @param bypassesGovernance whether the caller may end a retention in the governance mode
     */
    record Retain(Optional<Retention> retention, boolean bypassesGovernance) implements Change {
      public Retain {
        requireNonNull(retention, "retention is null");
      }

      @Override
      public ObjectLock applyTo(ObjectLock before) {
        return new ObjectLock(retention, before.legalHold);
      }
    }

    /** Sets or lifts the legal hold. */
    record Hold(boolean on) implements Change {
      @Override
      public ObjectLock applyTo(ObjectLock before) {
        return new ObjectLock(before.retention, on);
      }
    }
  }

  /** Whether the version must stay now. */
  public boolean forbidsRemoval(long nowMs, boolean bypassesGovernance) {
    return legalHold || retention.filter(kept -> kept.binds(nowMs, bypassesGovernance)).isPresent();
  }

  /** Whether the change would end or shorten a retention that must stay now, or change its mode. */
  public boolean forbids(Change change, long nowMs) {
    return change instanceof Change.Retain retain
        && retention.filter(kept -> kept.binds(nowMs, retain.bypassesGovernance)).isPresent()
        && retain.retention.filter(retention.orElseThrow()::isKeptBy).isEmpty();
  }

  /** The lock that headers say. */
  static ObjectLock ofHeaders(Map<String, String> headers) {
    String mode = headers.get(MODE);
    String until = headers.get(RETAIN_UNTIL);
    boolean hold = ON.equals(headers.get(LEGAL_HOLD));
    if (mode == null || until == null) {
      return hold ? new ObjectLock(Optional.empty(), true) : NONE;
    }
    Retention retention = new Retention(Mode.valueOf(mode), Instant.parse(until).toEpochMilli());
    return new ObjectLock(Optional.of(retention), hold);
  }

  /** The headers that say this lock. */
  public Map<String, String> headers() {
    Map<String, String> headers = new HashMap<>();
    retention.ifPresent(kept -> {
      headers.put(MODE, kept.mode.name());
      headers.put(RETAIN_UNTIL, Instant.ofEpochMilli(kept.untilMs).toString());
    });
    if (legalHold) {
      headers.put(LEGAL_HOLD, ON);
    }
    return headers;
  }
}
