package dev.tarn.standalone.certificate;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.transport.tls.MemberIdentity;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.crypto.SecretKey;

/**
 * Certificates that the member signs for itself, with the authority of the secret that signs
 * capabilities. The member trusts the authorities of all secrets that it knows. Each certificate
 * has a new key, is valid for a day and is replaced after two thirds of that. Belongs to one
 * thread.
 */
public final class DerivedIdentity implements IdentitySource {
  /** The life of a certificate. */
  public static final Duration LIFE = Duration.ofDays(1);

  private static final Duration RENEWED_AFTER = LIFE.multipliedBy(2).dividedBy(3);

  private final List<String> hosts;
  private final InstantSource clock;
  private final ClusterAuthority signer;
  private final List<X509Certificate> trusted;
  private Instant signedAt = Instant.MIN;

  /**
   * Derives the authorities of these secrets.
   *
   * @param hosts at which others reach this member; empty for a member that is never called
   */
  public DerivedIdentity(ClusterSecrets secrets, List<String> hosts, InstantSource clock)
      throws IOException, GeneralSecurityException {
    this.hosts = List.copyOf(hosts);
    this.clock = requireNonNull(clock, "clock is null");
    List<ClusterAuthority> authorities = new ArrayList<>();
    for (SecretKey secret : secrets.authorityKeys()) {
      authorities.add(ClusterAuthority.of(secret));
    }
    this.signer = authorities.get(0);
    this.trusted = authorities.stream().map(ClusterAuthority::certificate).toList();
  }

  @Override
  public Optional<MemberIdentity> renewed() throws IOException, GeneralSecurityException {
    Instant now = clock.instant();
    boolean clockWentBack = now.isBefore(signedAt);
    if (!clockWentBack && now.isBefore(signedAt.plus(RENEWED_AFTER))) {
      return Optional.empty();
    }
    ClusterAuthority.Signed signed = signer.sign(hosts, now, LIFE);
    signedAt = now;
    return Optional.of(new MemberIdentity(signed.key(), List.of(signed.certificate()), trusted));
  }
}
