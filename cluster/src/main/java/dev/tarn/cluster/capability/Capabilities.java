package dev.tarn.cluster.capability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;

/**
 * Issues and verifies capabilities. A capability is text that fits a header: {@code
 * SECRET_ID.EXPIRY_MS.GRANT.HMAC}. GRANT is the SHA-256 of the {@link Grant}. HMAC is the
 * HMAC-SHA256 over GRANT, the secret's id and the expiry. Both are in base64url. A receiver can
 * therefore verify from the header alone that a member of the cluster issued it, before it reads
 * the request. Safe for use by many threads.
 */
public final class Capabilities {
  /** The longest lifetime of a capability. */
  public static final Duration LIFETIME_MAX = Duration.ofMinutes(15);

  /** The greatest difference allowed between the clocks of members. */
  public static final Duration SKEW_MAX = Duration.ofMinutes(1);

  /** The lifetime of a call's capability: the receiver's clock may be ahead. */
  private static final Duration CALL_LIFETIME = Duration.ofMinutes(1).plus(SKEW_MAX);

  private static final int TEXT_LENGTH_MAX = 192;

  private final ClusterSecrets secrets;
  private final InstantSource clock;

  /** Issues and verifies with these secrets and this clock. */
  public Capabilities(ClusterSecrets secrets, InstantSource clock) {
    this.secrets = requireNonNull(secrets, "secrets is null");
    this.clock = requireNonNull(clock, "clock is null");
  }

  /**
   * Issues a capability that is valid from now on for {@code lifetime}, at most {@link
   * #LIFETIME_MAX}.
   */
  public String issue(Grant grant, Duration lifetime) {
    if (lifetime.compareTo(LIFETIME_MAX) > 0) {
      throw new IllegalArgumentException(
          "lifetime of a capability is " + lifetime + ", must be at most " + LIFETIME_MAX);
    }
    long expiresMs = clock.millis() + lifetime.toMillis();
    String id = secrets.grantingId();
    String granted = grant.digest();
    String mac = mac(secrets.key(id).orElseThrow(), id, granted, expiresMs);
    return id + "." + expiresMs + "." + granted + "." + mac;
  }

  /** Issues a capability for a call between members that is sent now. */
  public String issueForCall(Grant grant) {
    return issue(grant, CALL_LIFETIME);
  }

  /** Why this capability does not allow the grant; empty if it does. */
  public Optional<Failure> refuse(String capability, Grant grant) {
    Optional<Failure> refused = refuse(capability);
    if (refused.isPresent()) {
      return refused;
    }
    byte[] granted = capability.split("\\.", -1)[2].getBytes(ISO_8859_1);
    return MessageDigest.isEqual(grant.digest().getBytes(ISO_8859_1), granted)
        ? Optional.empty()
        : forbidden("The capability is for something else.");
  }

  /**
   * Why this capability is not valid: no member issued it, or it is not valid now. Does not check
   * what it grants. Empty if it is valid.
   */
  public Optional<Failure> refuse(String capability) {
    Optional<Failure> forged = refuseForged(capability);
    if (forged.isPresent()) {
      return forged;
    }
    long restMs = restMs(capability);
    if (restMs <= 0) {
      return forbidden("The capability has expired.");
    }
    return isTooLong(restMs) ? forbidden("The capability is valid for too long.") : forged;
  }

  /**
   * Like {@link #refuse(String)}, for a capability of {@link #issueForCall}. If it is not valid
   * now, the failure names the clocks of both members.
   */
  public Optional<Failure> refuseCall(String capability) {
    Optional<Failure> forged = refuseForged(capability);
    if (forged.isPresent()) {
      return forged;
    }
    long restMs = restMs(capability);
    if (restMs > 0 && !isTooLong(restMs)) {
      return forged;
    }
    Instant here = clock.instant();
    Instant sent = here.plusMillis(restMs).minus(CALL_LIFETIME);
    return forbidden(
        ("Call refused: it was sent at %s by the caller's clock and came at %s by the clock here,"
                + " %d s %s (limit %d s); synchronize the clocks of both machines.")
            .formatted(
                sent.truncatedTo(ChronoUnit.SECONDS),
                here.truncatedTo(ChronoUnit.SECONDS),
                Duration.between(sent, here).abs().toSeconds(),
                here.isBefore(sent) ? "earlier" : "later",
                SKEW_MAX.toSeconds()));
  }

  private static boolean isTooLong(long restMs) {
    return restMs > LIFETIME_MAX.plus(SKEW_MAX).toMillis();
  }

  /** How long a well-formed capability is still valid, in milliseconds; not positive if expired. */
  private long restMs(String capability) {
    int start = capability.indexOf('.') + 1;
    return Long.parseLong(capability, start, capability.indexOf('.', start), 10) - clock.millis();
  }

  private Optional<Failure> refuseForged(String capability) {
    if (capability.isEmpty()) {
      return forbidden("The capability is missing.");
    }
    String[] fields = capability.split("\\.", -1);
    if (capability.length() > TEXT_LENGTH_MAX
        || fields.length != 4
        || !fields[1].matches("[0-9]{1,18}")) {
      return forbidden("The capability is not of the form SECRET_ID.EXPIRY_MS.GRANT.HMAC.");
    }
    Optional<MacKey> key = secrets.key(fields[0]);
    if (key.isEmpty()) {
      return forbidden("The capability was granted under a secret that is unknown here.");
    }
    long expiresMs = Long.parseLong(fields[1]);
    byte[] expected = mac(key.orElseThrow(), fields[0], fields[2], expiresMs).getBytes(ISO_8859_1);
    return MessageDigest.isEqual(expected, fields[3].getBytes(ISO_8859_1))
        ? Optional.empty()
        : forbidden("The capability is forged.");
  }

  private static String mac(MacKey key, String id, String granted, long expiresMs) {
    byte[] mac = key.sign(Grant.signedBytes(granted, id, expiresMs));
    return new String(Base64.getUrlEncoder().withoutPadding().encode(mac), ISO_8859_1);
  }

  private static Optional<Failure> forbidden(String message) {
    return Optional.of(new Failure.Forbidden(message));
  }
}
