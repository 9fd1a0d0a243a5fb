package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.certificate.DerivedIdentity;
import dev.tarn.standalone.certificate.IdentityFiles;
import dev.tarn.standalone.certificate.IdentitySource;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.targetnode.upkeep.Job;
import dev.tarn.targetnode.upkeep.Upkeep;
import dev.tarn.transport.tls.MemberIdentity;
import dev.tarn.transport.tls.MemberTls;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of this member, which it checks every minute. A new identity serves the handshakes
 * that begin from then on; open connections continue.
 */
final class OwnIdentity implements Job {
  private static final Logger LOG = LoggerFactory.getLogger(OwnIdentity.class);
  private static final Duration CHECK = Duration.ofMinutes(1);

  private final IdentitySource source;
  private final InstantSource clock;
  private final MemberTls tls;

  /** An identity that could not be used yet. */
  private Optional<MemberIdentity> pending = Optional.empty();

  /** The problem that the log has; empty after a success. */
  private String logged = "";

  /**
   * Takes the first identity.
   *
   * @throws StartFailure if there is none
   */
  OwnIdentity(IdentitySource source, InstantSource clock) throws StartFailure {
    this.source = requireNonNull(source, "source is null");
    this.clock = requireNonNull(clock, "clock is null");
    try {
      this.tls = new MemberTls(source.renewed().orElseThrow());
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw noIdentity(e);
    }
  }

  /** The identity of the member that starts, which others reach at these hosts. */
  static OwnIdentity of(Start start, ClusterSecrets secrets, List<String> hosts)
      throws StartFailure {
    OwnIdentity identity = new OwnIdentity(source(start, secrets, hosts), start.clock());
    Upkeep upkeep = start.parts().add(new Upkeep("tarn-identity", () -> false));
    upkeep.start(identity, CHECK);
    return identity;
  }

  /** Registers the metric of a member's certificate; not a number for a member that has none. */
  static void register(Start start, Optional<OwnIdentity> identity) {
    DoubleSupplier lifeLeft =
        () -> identity.isPresent() ? identity.orElseThrow().lifeLeft() : Double.NaN;
    Gauge.builder("tarn.certificate.life.left", lifeLeft, DoubleSupplier::getAsDouble)
        .description("Part of the life of this member's certificate that is left, from 1 to 0")
        .strongReference(true)
        .register(start.metrics());
  }

  private static IdentitySource source(Start start, ClusterSecrets secrets, List<String> hosts)
      throws StartFailure {
    Optional<IdentitySource> given = start.config().cluster().tlsFiles().map(IdentityFiles::new);
    try {
      return given.isPresent()
          ? given.orElseThrow()
          : new DerivedIdentity(secrets, hosts, start.clock());
    } catch (IOException | GeneralSecurityException e) {
      throw noIdentity(e);
    }
  }

  private static StartFailure noIdentity(Exception cause) {
    return new StartFailure(
        "this member has no certificate for TLS: " + FailureHandler.message(cause), cause);
  }

  MemberTls tls() {
    return tls;
  }

  /** The part of the certificate's life that is left, from 1 to 0; a third remains at a renewal. */
  double lifeLeft() {
    X509Certificate own = tls.identity().chain().get(0);
    Instant end = own.getNotAfter().toInstant();
    Duration life = Duration.between(own.getNotBefore().toInstant(), end);
    double left = Duration.between(clock.instant(), end).toMillis();
    return Math.max(0, Math.min(1, left / Math.max(1, life.toMillis())));
  }

  @Override
  public String name() {
    return "renewal of this member's certificate";
  }

  @Override
  public Duration interval() {
    return CHECK;
  }

  /** Takes a newer identity if there is one. */
  @Override
  public boolean step() {
    try {
      pending = source.renewed().or(() -> pending);
      if (pending.isPresent()) {
        tls.replace(pending.orElseThrow());
        pending = Optional.empty();
        LOG.info("this member has a certificate until {}", end());
      }
      log(end().isAfter(clock.instant()) ? "" : "it was not renewed");
    } catch (IOException | GeneralSecurityException | RuntimeException e) {
      log(FailureHandler.message(e));
    }
    return false;
  }

  private Instant end() {
    return tls.identity().chain().get(0).getNotAfter().toInstant();
  }

  /** Logs a problem once; an empty one is none. */
  private void log(String problem) {
    if (!problem.isEmpty() && !problem.equals(logged)) {
      LOG.error(
          "renewing the certificate of this member failed: {}; the present one ends at {}, and"
              + " connections with TLS fail from then on; this member tries again every minute",
          problem,
          end());
    }
    logged = problem;
  }
}
