package dev.tarn.cluster.capability;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.target.Failure;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.InstantSource;
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
    if (!MessageDigest.isEqual(expected, fields[3].getBytes(ISO_8859_1))) {
      return forbidden("The capability is forged.");
    }
    long nowMs = clock.millis();
    if (expiresMs <= nowMs) {
      return forbidden("The capability has expired.");
    }
    return expiresMs > nowMs + LIFETIME_MAX.plus(SKEW_MAX).toMillis()
        ? forbidden("The capability is valid for too long.")
        : Optional.empty();
  }

  private static String mac(MacKey key, String id, String granted, long expiresMs) {
    byte[] mac = key.sign(Grant.signedBytes(granted, id, expiresMs));
    return new String(Base64.getUrlEncoder().withoutPadding().encode(mac), ISO_8859_1);
  }

  private static Optional<Failure> forbidden(String message) {
    return Optional.of(new Failure.Forbidden(message));
  }
}
