package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.remote.CertificateIssuer.Issued;
import dev.tarn.cluster.control.remote.CertificateIssuer.Wish;
import dev.tarn.sharder.cli.output.FailureHandler;
import dev.tarn.standalone.Announcer.Scheduler;
import dev.tarn.standalone.certificate.IdentityFile;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.transport.tls.MemberIdentity;
import dev.tarn.transport.tls.MemberTls;
import io.micrometer.core.instrument.Gauge;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of this member. It is kept on disk, so that the member restarts while the control
 * node is away. Its certificate is renewed after two thirds of its life, with a new key. The
 * authorities that the member trusts are requested whenever the control node is followed again,
 * since a control node changes its authority only at a start. The member keeps its certificate
 * then, so that all members trust a new authority before the first certificate of it is used.
 */
final class OwnIdentity implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnIdentity.class);
  private static final Duration CHECK_MAX = Duration.ofHours(1);
  private static final Duration CHECK_MIN = Duration.ofSeconds(1);
  private static final Duration RETRY = Duration.ofMinutes(1);
  private static final int THIRDS = 3;

  private final IdentityFile file;
  private final List<String> hosts;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final CompletableFuture<MemberTls> usable = new CompletableFuture<>();
  private @Nullable Issuing control;
  private @Nullable MemberIdentity kept;
  private volatile @Nullable MemberTls tls;
  private boolean busy;
  private boolean askedMeanwhile;

  /** Whether the failures since the last success are logged. */
  private boolean warned;

  private boolean closed;
  private long steps;

  /** Requests certificates from the control node. */
  interface Issuing {
    /** Requests a certificate, or the authorities alone if there is no wish. */
    CompletionStage<Issued> certificate(Optional<Wish> wish);
  }

  /**
   * Reads the kept identity.
   *
   * @param hosts at which others reach this member; empty for a member that is never called
   * @throws StartFailure if the file cannot be read, or others can read the private key
   */
  OwnIdentity(IdentityFile file, List<String> hosts, InstantSource clock, Scheduler scheduler)
      throws StartFailure {
    this.file = requireNonNull(file, "file is null");
    this.hosts = List.copyOf(requireNonNull(hosts, "hosts is null"));
    this.clock = requireNonNull(clock, "clock is null");
    this.scheduler = requireNonNull(scheduler, "scheduler is null");
    Optional<MemberIdentity> read = file.read();
    if (read.isPresent()) {
      kept = read.orElseThrow();
      tls = new MemberTls(read.orElseThrow());
      if (isCurrent(read.orElseThrow())) {
        usable.complete(tls);
      }
    }
  }

  /** The identity of the member that starts, which others reach at these hosts. */
  static OwnIdentity of(Start start, List<String> hosts) throws StartFailure {
    IdentityFile file = new IdentityFile(start.data().identity());
    OwnIdentity identity = new OwnIdentity(file, hosts, start.clock(), Scheduler.SYSTEM);
    Gauge.builder("tarn.certificate.life.left", identity, OwnIdentity::lifeLeft)
        .description("Part of the life of this member's certificate that is left, from 1 to 0")
        .register(start.metrics());
    return identity;
  }

  /** The TLS of this member; empty until it has got its first certificate. */
  Optional<MemberTls> tls() {
    return Optional.ofNullable(tls);
  }

  /**
   * The part of the certificate's life that is left, from 1 to 0; it is renewed at a third. Not a
   * number without a certificate.
   */
  double lifeLeft() {
    MemberTls present = tls;
    if (present == null) {
      return Double.NaN;
    }
    Instant end = end(present.identity());
    Duration life = Duration.between(signedAt(present.identity()), end);
    double left = Duration.between(clock.instant(), end).toMillis();
    return Math.max(0, Math.min(1, left / Math.max(1, life.toMillis())));
  }

  /** Completes once this member has a certificate for its hosts that has not expired. */
  CompletionStage<MemberTls> usable() {
    return usable.copy();
  }

  /** Waits until this member has a certificate for its hosts that has not expired. */
  MemberTls awaitUsable() throws StartFailure {
    if (!usable.isDone()) {
      LOG.warn(
          "this member does not listen until the control node has signed a certificate for {} that"
              + " has not expired",
          hosts);
    }
    try {
      return usable.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StartFailure("interrupted while waiting for a certificate", e);
    } catch (ExecutionException e) {
      throw new StartFailure("waiting for a certificate failed", e);
    }
  }

  /**
   * Begins to renew the certificate. The control node may be away, so nothing is requested before
   * the next check or {@link #request}.
   */
  void start(Issuing issuing) {
    long step;
    Duration delay;
    synchronized (this) {
      control = requireNonNull(issuing, "issuing is null");
      step = steps;
      delay = nextCheck();
    }
    scheduler.schedule(() -> requestAt(step), delay);
  }

  /** Requests the authorities, and a certificate if it is due. Does nothing before the start. */
  void request() {
    Issuing asked;
    Optional<KeyPair> pair;
    synchronized (this) {
      askedMeanwhile = busy;
      if (busy || closed || control == null) {
        return;
      }
      busy = true;
      asked = control;
      MemberTls present = tls;
      pair =
          present == null || isDue(present.identity())
              ? Optional.of(IdentityFile.newKeyPair())
              : Optional.empty();
    }
    asked
        .certificate(pair.map(made -> new Wish(made.getPublic(), hosts)))
        .thenAccept(issued -> take(pair, issued))
        .whenComplete((ignored, failure) -> done(pair.isPresent(), failure));
  }

  private synchronized void take(Optional<KeyPair> pair, Issued issued) {
    MemberTls present = tls;
    MemberIdentity next;
    if (pair.isPresent()) {
      X509Certificate signed =
          issued
              .certificate()
              .orElseThrow(() -> new IllegalStateException("the control node signed nothing"));
      next =
          new MemberIdentity(
              pair.orElseThrow().getPrivate(), List.of(signed), issued.authorities());
      LOG.info("this member has a certificate until {}", signed.getNotAfter().toInstant());
    } else if (present != null) {
      MemberIdentity before = present.identity();
      next = new MemberIdentity(before.key(), before.chain(), issued.authorities());
    } else {
      return;
    }
    if (present == null) {
      present = new MemberTls(next);
      tls = present;
    } else if (!next.equals(present.identity())) {
      present.replace(next);
    }
    keep(next);
    if (isCurrent(next)) {
      usable.complete(present);
    }
  }

  private void keep(MemberIdentity next) {
    if (next.equals(kept)) {
      return;
    }
    try {
      file.write(next);
      kept = next;
    } catch (IOException e) {
      LOG.error(
          "writing this member's certificate to {} failed: {}; if this process restarts while the"
              + " control plane is unreachable, it has no certificate",
          file,
          FailureHandler.message(e));
    }
  }

  private void done(boolean due, @Nullable Throwable failure) {
    Duration delay;
    long step;
    synchronized (this) {
      busy = false;
      if (closed) {
        return;
      }
      step = ++steps;
      MemberTls present = tls;
      if (failure != null) {
        log(due, failure instanceof CompletionException ? failure.getCause() : failure);
        delay = RETRY;
      } else if (due && present != null && isDue(present.identity())) {
        logDueAgain(present.identity());
        delay = RETRY;
      } else {
        warned = false;
        delay = nextCheck();
      }
      if (askedMeanwhile) {
        delay = Duration.ZERO;
      }
    }
    scheduler.schedule(() -> requestAt(step), delay);
  }

  /** Requests unless another request was made since this one was scheduled. */
  private void requestAt(long step) {
    synchronized (this) {
      if (step != steps) {
        return;
      }
    }
    request();
  }

  private Duration nextCheck() {
    MemberTls present = tls;
    if (present == null) {
      return RETRY;
    }
    Duration left = Duration.between(clock.instant(), renewal(present.identity()));
    if (isDue(present.identity()) || left.compareTo(CHECK_MIN) < 0) {
      return CHECK_MIN;
    }
    return left.compareTo(CHECK_MAX) < 0 ? left : CHECK_MAX;
  }

  private void log(boolean due, @Nullable Throwable cause) {
    String reason = cause == null ? "no reason given" : FailureHandler.message(cause);
    MemberTls present = tls;
    if (present == null) {
      if (!warned) {
        warned = true;
        LOG.warn(
            "requesting a certificate from the control node failed: {}; until this member has one,"
                + " connections with TLS fail; it retries every minute",
            reason);
      }
      return;
    }
    Instant end = end(present.identity());
    if (!end.isAfter(clock.instant())) {
      LOG.error(
          "the certificate of this member ended at {} and renewing it failed: {}; connections with"
              + " TLS fail. Start the control node that cluster.control names; this member retries"
              + " every minute",
          end,
          reason);
    } else if (due && !warned) {
      warned = true;
      LOG.warn(
          "renewing the certificate of this member failed: {}; the present one ends at {}; this"
              + " member retries every minute",
          reason,
          end);
    }
  }

  private void logDueAgain(MemberIdentity identity) {
    if (warned) {
      return;
    }
    warned = true;
    LOG.warn(
        "the new certificate of this member is due for renewal at once: signed at {} until {}, for"
            + " the hosts {}; this member retries every minute. Compare the clocks of this node and"
            + " the control node, control.certificate-life and cluster.advertise",
        signedAt(identity),
        end(identity),
        hosts);
  }

  /** Whether a new certificate is due: for its age, its hosts, or the authority that signed it. */
  private boolean isDue(MemberIdentity identity) {
    X509Certificate own = identity.chain().get(0);
    return !clock.instant().isBefore(renewal(identity))
        || !IdentityFile.isFor(hosts, own)
        || identity.authorities().stream().noneMatch(authority -> hasSigned(authority, own));
  }

  /** Compares keys, because an authority with a new key may keep its name. */
  private static boolean hasSigned(X509Certificate authority, X509Certificate certificate) {
    try {
      certificate.verify(authority.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      LOG.debug("{} did not sign it: {}", authority.getSubjectX500Principal(), e.getMessage());
      return false;
    }
  }

  private boolean isCurrent(MemberIdentity identity) {
    return end(identity).isAfter(clock.instant())
        && IdentityFile.isFor(hosts, identity.chain().get(0));
  }

  private static Instant end(MemberIdentity identity) {
    return identity.chain().get(0).getNotAfter().toInstant();
  }

  /** When two thirds of the certificate's life have passed. */
  private static Instant renewal(MemberIdentity identity) {
    Instant end = end(identity);
    return end.minus(Duration.between(signedAt(identity), end).dividedBy(THIRDS));
  }

  private static Instant signedAt(MemberIdentity identity) {
    return IdentityFile.signedAt(identity.chain().get(0));
  }

  @Override
  public synchronized void close() {
    closed = true;
  }
}
