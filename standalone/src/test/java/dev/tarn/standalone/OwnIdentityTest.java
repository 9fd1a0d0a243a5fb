package dev.tarn.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.control.remote.Audience;
import dev.tarn.cluster.control.remote.CertificateIssuer.Issued;
import dev.tarn.cluster.control.remote.CertificateIssuer.RefusedException;
import dev.tarn.cluster.control.remote.CertificateIssuer.Wish;
import dev.tarn.cluster.control.remote.RemoteControlPlane;
import dev.tarn.fixtures.control.LoopbackTransport;
import dev.tarn.fixtures.control.MemoryControlPlane;
import dev.tarn.fixtures.tls.TestAuthority;
import dev.tarn.gateway.GatewayConfig.TlsFiles;
import dev.tarn.standalone.certificate.ClusterAuthority;
import dev.tarn.standalone.certificate.IdentityFile;
import dev.tarn.standalone.node.StartFailure;
import dev.tarn.transport.tls.MemberIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** How a member gets, keeps and renews its certificate. */
class OwnIdentityTest {
  private static final Duration LIFE = Duration.ofDays(30);
  private static final String HOST = "tarn-0.example.org";

  @TempDir private Path directory;
  private final Logger logger = (Logger) LoggerFactory.getLogger(OwnIdentity.class);
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Deque<Runnable> steps = new ArrayDeque<>();
  private Duration delay = Duration.ZERO;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private final InstantSource clock = () -> now;
  private boolean away;

  @BeforeEach
  void listen() {
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void stopListening() {
    logger.detachAppender(lines);
  }

  private List<String> logged() {
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private ClusterAuthority authority(Optional<TlsFiles> given) throws StartFailure {
    return ClusterAuthority.open(directory.resolve("ca"), given, LIFE, clock);
  }

  private Path file() {
    return directory.resolve("identity.pem");
  }

  private OwnIdentity identity(String... hosts) throws StartFailure {
    return new OwnIdentity(new IdentityFile(file()), List.of(hosts), clock, this::schedule);
  }

  private void schedule(Runnable step, Duration after) {
    steps.add(step);
    delay = after;
  }

  /** A member of the present authority, after its first request. */
  private OwnIdentity started(String... hosts) throws StartFailure {
    OwnIdentity identity = identity(hosts);
    identity.start(control(Optional.empty()));
    identity.request();
    return identity;
  }

  private OwnIdentity.Issuing control(Optional<TlsFiles> given) throws StartFailure {
    ClusterAuthority authority = authority(given);
    return wish -> away ? lost() : issue(authority, wish);
  }

  private static CompletionStage<Issued> lost() {
    return CompletableFuture.failedFuture(new IOException("the control node is away"));
  }

  private static CompletionStage<Issued> issue(ClusterAuthority authority, Optional<Wish> wish) {
    try {
      return CompletableFuture.completedFuture(authority.issue(Audience.TARGET, wish));
    } catch (RefusedException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static MemberIdentity current(OwnIdentity identity) {
    return identity.tls().orElseThrow().identity();
  }

  private static X509Certificate certificate(OwnIdentity identity) {
    return current(identity).chain().get(0);
  }

  /** Runs the checks that are scheduled now, not those that they schedule. */
  private void runSteps() {
    for (int left = steps.size(); left > 0; left--) {
      steps.remove().run();
    }
  }

  @Test
  void memberHasACertificateOnceTheControlNodeSignedIt() throws Exception {
    try (OwnIdentity member = identity(HOST)) {
      assertThat(member.tls()).isEmpty();
      assertThat(member.lifeLeft()).isNaN();
      member.start(control(Optional.empty()));
      member.request();

      assertThat(member.usable().toCompletableFuture()).isCompleted();
      assertThat(certificate(member).getSubjectAlternativeNames())
          .map(name -> (Object) name.get(1))
          .containsExactly(HOST);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void certificateIsRenewedAfterTwoThirdsOfItsLifeWithANewKey() throws Exception {
    try (OwnIdentity member = started(HOST)) {
      MemberIdentity first = current(member);

      assertThat(member.lifeLeft()).isEqualTo(1);

      now = now.plus(Duration.ofDays(20)).minusSeconds(1);
      runSteps();
      assertThat(current(member)).isEqualTo(first);
      assertThat(member.lifeLeft()).isCloseTo(1.0 / 3, within(0.001));

      now = now.plusSeconds(1);
      runSteps();
      assertThat(certificate(member).getNotAfter().toInstant()).isEqualTo(now.plus(LIFE));
      assertThat(current(member).key()).isNotEqualTo(first.key());
    }
  }

  @Test
  void restartedMemberUsesItsCertificateWhileTheControlNodeIsAway() throws Exception {
    MemberIdentity before;
    try (OwnIdentity member = started(HOST)) {
      before = current(member);
    }
    away = true;
    try (OwnIdentity restarted = started(HOST)) {
      assertThat(restarted.usable().toCompletableFuture()).isCompleted();
      assertThat(current(restarted)).isEqualTo(before);
      assertThat(logged()).noneMatch(line -> line.contains("failed"));
    }
  }

  @Test
  void failedRenewalIsLoggedAlsoAfterAFailedRequestForAuthorities() throws Exception {
    try (OwnIdentity member = started(HOST)) {
      assertThat(member.tls()).isPresent();
      away = true;
      runSteps();
      assertThat(logged()).noneMatch(line -> line.contains("failed"));
      now = now.plus(Duration.ofDays(20));
      runSteps();
      runSteps();
      assertThat(logged()).filteredOn(line -> line.contains("renewing the certificate")).hasSize(1);
    }
  }

  @Test
  void certificateThatIsDueAtOnceIsRequestedOnceAMinuteAndLoggedOnce() throws Exception {
    ClusterAuthority authority = authority(Optional.empty());
    try (OwnIdentity member = identity(HOST)) {
      member.start(wish ->
          issue(authority, wish.map(asked -> new Wish(asked.key(), List.of("other.example.org")))));
      member.request();
      assertThat(delay).isEqualTo(Duration.ofMinutes(1));
      runSteps();
      assertThat(delay).isEqualTo(Duration.ofMinutes(1));
      assertThat(logged())
          .filteredOn(line -> line.contains("is due for renewal at once"))
          .hasSize(1);
    }
  }

  @Test
  void startThatWaitsForACertificateSaysSo() throws Exception {
    try (OwnIdentity member = identity(HOST)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(member::awaitUsable).isInstanceOf(StartFailure.class);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(logged())
          .anyMatch(line -> line.contains("does not listen until") && line.contains(HOST));
    }
  }

  @Test
  void identityThatCannotBeReadStaysInPlace() throws Exception {
    Files.createDirectory(
        file(), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));

    assertThatThrownBy(() -> identity(HOST))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining(file().toString());
    assertThat(file()).isDirectory();
  }

  @Test
  void expiredCertificateSaysWhatToDoAndIsRenewedOnceTheControlNodeIsBack() throws Exception {
    Instant end = now.plus(LIFE);
    try (OwnIdentity member = started(HOST)) {
      assertThat(certificate(member).getNotAfter().toInstant()).isEqualTo(end);
      away = true;
      now = end.minusSeconds(1);
      runSteps();
      runSteps();
      assertThat(logged())
          .filteredOn(line -> line.contains("the present one ends at " + end))
          .as("once, not for each attempt")
          .hasSize(1);
    }
    now = end;
    try (OwnIdentity restarted = started(HOST)) {
      assertThat(restarted.usable().toCompletableFuture()).isNotCompleted();
      assertThat(restarted.lifeLeft()).isZero();
      assertThat(logged())
          .anyMatch(line ->
              line.contains("ended at " + end)
                  && line.contains("Start the control node that cluster.control names"));

      away = false;
      restarted.request();
      assertThat(restarted.usable().toCompletableFuture()).isCompleted();
      assertThat(certificate(restarted).getNotAfter().toInstant()).isEqualTo(now.plus(LIFE));
    }
  }

  @Test
  void newAuthorityIsTrustedAtOnceAndSignsTheNextCertificate() throws Exception {
    Path other = directory.resolve("other");
    ClusterAuthority.open(other, Optional.empty(), LIFE, clock);
    TlsFiles files = new TlsFiles(other.resolve("own.pem"), other.resolve("own.pem"));
    try (OwnIdentity member = started(HOST)) {
      X509Certificate before = certificate(member);
      X509Certificate firstAuthority = current(member).authorities().get(0);

      member.start(control(Optional.of(files)));
      member.request();
      assertThat(certificate(member)).isEqualTo(before);
      assertThat(current(member).authorities()).hasSize(2).contains(firstAuthority);

      now = now.plus(Duration.ofDays(20));
      member.request();
      assertThat(certificate(member).getIssuerX500Principal())
          .isEqualTo(current(member).authorities().get(0).getSubjectX500Principal())
          .isNotEqualTo(firstAuthority.getSubjectX500Principal());
    }
  }

  @Test
  void memberOfAnAuthorityThatKeepsItsNameButNotItsKeyGetsANewCertificateAtOnce() throws Exception {
    TestAuthority former = new TestAuthority("cluster");
    TestAuthority next = new TestAuthority("cluster");
    try (OwnIdentity member = identity(HOST)) {
      member.start(signedBy(former));
      member.request();
      X509Certificate before = certificate(member);
      member.start(signedBy(next));
      member.request();
      assertThat(certificate(member)).as("until the next check").isEqualTo(before);
      steps.removeLast().run();

      certificate(member).verify(next.certificate().getPublicKey());
    }
  }

  private OwnIdentity.Issuing signedBy(TestAuthority authority) {
    return wish ->
        CompletableFuture.completedFuture(
            new Issued(
                wish.map(named -> authority.sign(named.key(), now.plus(Duration.ofDays(2)), HOST)),
                authority.alone()));
  }

  @Test
  void memberOfAnAuthorityThatNobodyTrustsAnyMoreGetsANewCertificateAtOnce() throws Exception {
    try (OwnIdentity member = started(HOST)) {
      X509Certificate before = certificate(member);
      Files.delete(directory.resolve("ca/own.pem"));
      Files.delete(directory.resolve("ca/signer.pem"));
      member.start(control(Optional.empty()));
      member.request();
      steps.removeLast().run();

      assertThat(certificate(member)).isNotEqualTo(before);
      assertThat(certificate(member).getIssuerX500Principal())
          .isEqualTo(current(member).authorities().get(0).getSubjectX500Principal());
    }
  }

  @Test
  void memberThatMovedGetsACertificateForItsNewHost() throws Exception {
    try (OwnIdentity member = started(HOST)) {
      assertThat(member.tls()).isPresent();
    }
    try (OwnIdentity moved = identity("fd00::7")) {
      assertThat(moved.usable().toCompletableFuture()).isNotCompleted();
      moved.start(control(Optional.empty()));
      moved.request();
      assertThat(moved.usable().toCompletableFuture()).isCompleted();
      X509Certificate signed = certificate(moved);
      moved.request();
      assertThat(certificate(moved)).as("it is for this host").isEqualTo(signed);
    }
  }

  @Test
  void unreadableFileIsMovedAsideForANewCertificate() throws Exception {
    Files.writeString(file(), "garbage");
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-------"));

    try (OwnIdentity member = started(HOST)) {
      assertThat(member.usable().toCompletableFuture()).isCompleted();
      assertThat(directory.resolve("identity.pem.unreadable")).hasContent("garbage");
    }
  }

  @Test
  void keyThatOthersCanReadIsRefused() throws Exception {
    try (OwnIdentity member = started(HOST)) {
      assertThat(member.tls()).isPresent();
    }
    Files.setPosixFilePermissions(file(), PosixFilePermissions.fromString("rw-r--r--"));

    assertThatThrownBy(() -> identity(HOST))
        .isInstanceOf(StartFailure.class)
        .hasMessageContainingAll("others can read", file().toString());
  }

  @Test
  void hostThatCannotBeSignedForIsLogged() throws Exception {
    try (OwnIdentity member = started("not a host")) {
      assertThat(member.tls()).isEmpty();
      assertThat(logged()).anyMatch(line -> line.contains("the host 'not a host'"));
    }
  }

  @Test
  void certificateComesOverTheSealedProtocol() throws Exception {
    ControlPlane plane = new MemoryControlPlane();
    LoopbackTransport transport = new LoopbackTransport(plane, authority(Optional.empty()));
    try (RemoteControlPlane control =
            transport.member(directory.resolve("member"), Audience.GATEWAY);
        OwnIdentity member = identity()) {
      member.start(control::certificate);
      member.request();

      member.usable().toCompletableFuture().get(30, TimeUnit.SECONDS);
      assertThat(certificate(member).getSubjectX500Principal().getName())
          .isEqualTo("CN=Tarn gateway");
    }
  }

  @Test
  void controlNodeThatSignsNothingLeavesAMemberWithoutTls() throws Exception {
    LoopbackTransport transport = new LoopbackTransport(new MemoryControlPlane());
    try (RemoteControlPlane control =
        transport.member(directory.resolve("member"), Audience.GATEWAY)) {
      assertThatThrownBy(control.certificate(Optional.empty()).toCompletableFuture()::join)
          .hasMessageContaining("this control node signs no certificates");
    }
  }
}
