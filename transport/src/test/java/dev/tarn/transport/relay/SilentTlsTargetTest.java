package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Grant;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.TestAuthority;
import dev.tarn.fixtures.target.memory.MemoryTarget;
import dev.tarn.transport.server.RemoteTarget;
import dev.tarn.transport.tls.MemberTls;
import dev.tarn.transport.tls.TestIdentities;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Targets over TLS that are silent, or slow; time passes when a test says so. */
@Timeout(60)
final class SilentTlsTargetTest extends SilentTargetFixture {
  private final MemberTls member = new MemberTls(TestIdentities.of(new TestAuthority("cluster")));

  private RelayClient client(KnownTargets known) {
    return new RelayClient(vertx, RelayLimits.DEFAULT, known, nanos::get, () -> false);
  }

  @Test
  void handshakeWithoutAnAnswerShowsASilentTarget() throws Exception {
    RelayClient secured = client(called -> Optional.of(member));
    try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      TargetAddress address = new TargetAddress("127.0.0.1", mute.getLocalPort());
      CompletableFuture<Outcome<RelayReply>> call =
          call(secured, address, ScriptedTarget.read(Deadline.NONE));
      while (!secured.isSilent(address)) {
        passInTicks(Duration.ofMillis(STEP_MS));
      }

      isUnavailable(call, "has not answered for");
    }
  }

  @Test
  void slowTargetIsProbedWithoutAHandshake() throws Exception {
    RemoteTarget slow = new RemoteTarget(vertx, new Slow(), member);
    slow.start();
    AtomicInteger connections = new AtomicInteger();
    RelayClient secured =
        client(called -> {
          if (connections.incrementAndGet() > 2) {
            throw new IllegalStateException("no further handshake");
          }
          return Optional.of(member);
        });
    CompletableFuture<Outcome<RelayReply>> call = read(secured, slow.address());
    until(() -> connections.get() == 2);

    passInTicks(PROBES_UNANSWERED.multipliedBy(2));

    assertThat(secured.isSilent(slow.address())).isFalse();
    assertThat(call).isNotDone();
  }

  @Test
  void readThatAnotherTargetMayAnswerWaitsForAHandshakeForSecondsAlone() throws Exception {
    Slow slow = new Slow();
    try (Door door = new Door(started(slow))) {
      RelayClient secured = client(called -> Optional.of(member));
      CompletableFuture<Outcome<RelayReply>> begun = read(secured, door.address());
      until(() -> door.hasAnswered(2) && slow.calls() == 1); // The second is kept for probes.

      door.holdNewConnections();
      CompletableFuture<Outcome<RelayReply>> held = read(secured, door.address());
      CompletableFuture<Outcome<RelayReply>> first =
          call(secured, door.address(), ScriptedTarget.ownerFirst());
      until(() -> door.accepted() == 4);
      pass(Duration.ofSeconds(8));

      isUnavailable(first, "was not ready for calls in time");
      assertThat(begun).isNotDone();
      assertThat(held).isNotDone();
      assertThat(secured.isSilent(door.address())).isFalse();

      door.releaseNewConnections();
      until(() -> slow.calls() == 2);
      CompletableFuture<Outcome<RelayReply>> next = read(secured, door.address());
      until(() -> slow.calls() == 3);
      assertThat(next).isNotDone();
      assertThat(door.accepted()).isEqualTo(4);
    }
  }

  @Test
  void callWaitsForAHandshakeUntilItsDeadline() throws Exception {
    try (Door door = new Door(started(new Slow()))) {
      door.holdNewConnections();
      RelayClient secured = client(called -> Optional.of(member));

      CompletableFuture<Outcome<RelayReply>> call =
          call(secured, door.address(), ScriptedTarget.read(Deadline.in(Duration.ofMillis(1))));

      assertThat(failure(call)).isInstanceOf(Failure.DeadlinePassed.class);
    }
  }

  @Test
  void repeatedCallMayWaitForItsHandshakeHoweverOldItIs() throws Exception {
    Slow slow = new Slow();
    try (Door door = new Door(started(slow))) {
      RelayClient secured = client(called -> Optional.of(member));
      CompletableFuture<Outcome<RelayReply>> call = read(secured, door.address());
      until(() -> door.hasAnswered(2) && slow.calls() == 1);
      pass(Duration.ofSeconds(8));

      door.holdNewConnections();
      door.closeConnections();
      until(() -> door.accepted() >= 3);
      passInTicks(QUIET);

      assertThat(call).isNotDone();
    }
  }

  @Test
  void silenceEndsWhenAConnectionFromBeforeAnswersAndNewOnesDoNot() throws Exception {
    try (Door door = new Door(started(new Slow()))) {
      RelayClient secured = client(called -> Optional.of(member));
      CompletableFuture<Outcome<RelayReply>> call = read(secured, door.address());
      until(() -> door.hasAnswered(2)); // The second is kept for probes.
      assertThat(call).isNotDone();

      door.holdNewConnections();
      door.holdAnswers();
      while (!secured.isSilent(door.address())) {
        passInTicks(Duration.ofMillis(STEP_MS));
      }
      int accepted = door.accepted();
      while (door.accepted() < accepted + 6) {
        passInTicks(Duration.ofMillis(STEP_MS));
      }
      door.releaseAnswers();

      until(() -> !secured.isSilent(door.address()));
    }
  }

  @Test
  void connectionForProbesIsMadeAgainAfterItsLossAndClosedWhenItsTargetLeaves() throws Exception {
    try (Door door = new Door(started(new MemoryTarget()))) {
      RelayClient secured = client(called -> Optional.of(member));
      read(secured, door.address()).join();
      until(() -> door.hasAnswered(2));

      door.closeConnections();
      until(() -> door.open() == 0);
      read(secured, door.address()).join();
      until(() -> door.open() == 2);

      secured.keepOnly(Set.of());
      until(() -> door.open() == 0);
    }
  }

  private TargetAddress started(ObjectTarget served) {
    RemoteTarget target = new RemoteTarget(vertx, served, member);
    target.start();
    return target.address();
  }

  private static CompletableFuture<Outcome<RelayReply>> read(
      RelayClient caller, TargetAddress address) {
    TargetRequest<?> read = ScriptedTarget.read(Deadline.NONE);
    return caller
        .call(
            address,
            new RelayRequest(
                read,
                () -> RemoteTarget.CAPABILITIES.issueForCall(Grant.of(read)),
                Optional.empty()))
        .toCompletableFuture();
  }

  /** Answers no call. */
  private static final class Slow implements ObjectTarget {
    private final AtomicInteger calls = new AtomicInteger();

    int calls() {
      return calls.get();
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      calls.incrementAndGet();
      return new CompletableFuture<>();
    }
  }
}
