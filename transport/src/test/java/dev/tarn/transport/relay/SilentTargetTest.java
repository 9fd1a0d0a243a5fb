package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.VertxInternal;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A target that accepts connections and answers nothing; time passes when a test says so. */
@Timeout(60)
class SilentTargetTest extends SilentTargetFixture {
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void callInFlightFailsOnceItsTargetHasBeenSilentForTheWait(boolean repeatable) throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> call = call(client, repeatable);
    untilSilent(client);
    assertThat(call).isNotDone();

    pass(WAIT);

    isUnavailable(call, "has not answered for");
    assertThat(target.calls()).isOne();
  }

  @Test
  void firstCallOnAnotherEventLoopIsNoSignOfLife() throws Exception {
    Vertx loops = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(3));
    try {
      RelayLimits patient = RelayLimits.DEFAULT.withTargetWait(WAIT.multipliedBy(4));
      RelayClient caller = new RelayClient(loops, patient, nanos::get);
      target.stop();
      CompletableFuture<Outcome<RelayReply>> inFlight = call(caller, false);
      target.awaitCalls(1);
      while (!caller.isSilent(target.address())) {
        passInTicks(Duration.ofMillis(STEP_MS));
      }

      List<CompletableFuture<Outcome<RelayReply>>> kept =
          Stream.generate(() -> call(caller, false)).limit(6).toList();
      until(() -> caller.waitingCalls() == 6);
      passInTicks(QUIET); // Each event loop checks its target meanwhile.

      assertThat(caller.isSilent(target.address())).isTrue();
      assertThat(target.calls()).isOne();
      target.resume();
      assertThat(inFlight.join()).isInstanceOf(Outcome.Success.class);
      assertThat(kept)
          .allSatisfy(call -> assertThat(call.join()).isInstanceOf(Outcome.Success.class));
    } finally {
      loops.close().toCompletionStage().toCompletableFuture().join();
    }
  }

  @Test
  void callsWaitForASilentTargetThatComesBack() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> inFlight = call(client, false);
    untilSilent(client);
    CompletableFuture<Outcome<RelayReply>> kept = call(client, false);
    until(() -> client.waitingCalls() == 1);
    assertThat(target.calls()).isOne();

    target.resume();

    assertThat(inFlight.join()).isInstanceOf(Outcome.Success.class);
    assertThat(kept.join()).isInstanceOf(Outcome.Success.class);
    assertThat(client.silentTargets()).isZero();
    assertThat(client.waitingCalls()).isZero();
  }

  @Test
  void keptCallWaitsNoLongerThanTheWaitFromTheBeginningOfTheSilence() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> inFlight = call(client, true);
    untilSilent(client);
    assertThat(inFlight).isNotDone();
    pass(Duration.ofSeconds(2));
    CompletableFuture<Outcome<RelayReply>> kept = call(client, true);
    until(() -> client.waitingCalls() == 1);

    pass(WAIT.minusSeconds(2));

    isUnavailable(kept, "has not answered for");
    assertThat(client.waitingCalls()).isZero();
  }

  @Test
  void callToATargetThatHasBeenSilentForTheWaitFailsWithoutBeingSent() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> first = call(client, true);
    untilSilent(client);
    pass(WAIT);
    isUnavailable(first, "has not answered for");

    isUnavailable(call(client, true), "has not answered for");
    isUnavailable(call(client, false), "has not answered for");
    assertThat(target.calls()).isOne();
  }

  @Test
  void targetThatWasGivenUpServesAgainWhenItAnswersAProbe() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> first = call(client, true);
    untilSilent(client);
    pass(WAIT);
    isUnavailable(first, "has not answered for");

    target.resume();
    until(() -> !client.isSilent(target.address()));

    assertThat(call(client, true).join()).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void readThatAnotherTargetMayAnswerDoesNotWaitForASilentOne() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> waiting = call(client, true);
    CompletableFuture<Outcome<RelayReply>> inFlight =
        call(client, target.address(), ScriptedTarget.ownerFirst());
    target.awaitCalls(2);
    pass(QUIET);
    target.awaitProbes(1);
    passInTicks(PROBES_UNANSWERED);

    isUnavailable(inFlight, "has not answered for");
    isUnavailable(
        call(client, target.address(), ScriptedTarget.ownerFirst()), "has not answered for");
    assertThat(waiting).isNotDone();
    assertThat(client.waitingCalls()).isZero();
  }

  @Test
  void listingDoesNotWaitForASilentTarget() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> inFlight = call(client, true);
    untilSilent(client);
    assertThat(inFlight).isNotDone();

    isUnavailable(
        call(
            client,
            target.address(),
            new ListRequest.ListObjects(
                new CallScope(new BucketId(1), 1, 1, CallContext.UNNAMED), "", "", "", 10)),
        "has not answered for");
  }

  @Test
  void slowTargetThatAnswersProbesIsAwaited() throws Exception {
    target.answerProbesAlone();
    CompletableFuture<Outcome<RelayReply>> slow = call(client, false);
    target.awaitCalls(1);
    for (int probe = 1; probe <= 30; probe++) {
      passUntilProbed(probe, Duration.ofSeconds(1));
    }
    assertThat(slow).isNotDone();
    assertThat(client.isSilent(target.address())).isFalse();

    target.resume();

    assertThat(slow.join()).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void probesHaveOneConnectionAsLongAsTheyAreAnswered() throws Exception {
    target.answerProbesAlone();
    CompletableFuture<Outcome<RelayReply>> slow = call(client, false);
    target.awaitCalls(1);
    passUntilProbed(5, Duration.ofSeconds(1));
    assertThat(slow).isNotDone();
    assertThat(target.connections()).isEqualTo(2);

    target.stop();
    passUntilProbed(8, QUIET);

    assertThat(target.connections()).isBetween(4, 5);
  }

  @Test
  void silenceBeginsWithTheLastSignOfLife() throws Exception {
    target.answerProbesAlone();
    CompletableFuture<Outcome<RelayReply>> slow = call(client, false);
    target.awaitCalls(1);
    for (int probe = 1; probe <= 10; probe++) {
      passUntilProbed(probe, Duration.ofSeconds(1));
    }
    target.stop();
    passUntilProbed(11, QUIET);
    passInTicks(PROBES_UNANSWERED);
    until(() -> client.isSilent(target.address()));
    CompletableFuture<Outcome<RelayReply>> kept = call(client, true);
    until(() -> client.waitingCalls() == 1);
    assertThat(kept).isNotDone();
    assertThat(slow).isNotDone();
  }

  @Test
  void replyThatStopsInItsBodyIsBrokenOff() throws Exception {
    target.giveBody(new byte[1000]);
    target.stop();
    RelayReply begun = ((Outcome.Success<RelayReply>) call(client, true).join()).value();
    EndOfBody end = new EndOfBody();
    ((OutgoingBody.Stream) begun.body()).publisher().subscribe(end);
    end.requested.join();
    pass(QUIET);
    target.awaitProbes(1);
    passInTicks(PROBES_UNANSWERED);
    until(() -> client.isSilent(target.address()));

    pass(WAIT);

    assertThatThrownBy(end.ended::join).hasStackTraceContaining("has not answered for");
  }

  @Test
  void callToATargetThatDoesNotEvenAcceptConnectionsFailsAfterTheWait() throws Exception {
    RelayClient patient = client(WAIT, 256, 512, Duration.ofDays(20));
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
        Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
      assertThat(first.isConnected() && second.isConnected()).isTrue();
      TargetAddress address = new TargetAddress("127.0.0.1", full.getLocalPort());
      CompletableFuture<Outcome<RelayReply>> call =
          call(patient, address, ScriptedTarget.read(Deadline.NONE));
      while (!patient.isSilent(address)) {
        passInTicks(Duration.ofMillis(STEP_MS));
      }
      pass(WAIT);

      isUnavailable(call, "has not answered for");
      isUnavailable(
          call(patient, address, ScriptedTarget.read(Deadline.NONE)), "has not answered for");
    }
  }

  @Test
  void withoutAWaitCallsFailWhenSilenceIsFound() throws Exception {
    RelayClient impatient = client(Duration.ZERO, 256, 512);
    target.stop();
    CompletableFuture<Outcome<RelayReply>> call = call(impatient, true);
    target.awaitCalls(1);
    pass(QUIET);
    target.awaitProbes(1);
    passInTicks(PROBES_UNANSWERED);

    isUnavailable(call, "has not answered for");
  }

  @Test
  void callsBeyondTheBoundDoNotWaitForASilentTarget() throws Exception {
    RelayClient bounded = client(WAIT, 1, 512);
    target.stop();
    CompletableFuture<Outcome<RelayReply>> inFlight = call(bounded, true);
    untilSilent(bounded);
    assertThat(inFlight).isNotDone();
    CompletableFuture<Outcome<RelayReply>> kept = call(bounded, true);
    until(() -> bounded.waitingCalls() == 1);

    isUnavailable(call(bounded, true), "has not answered for");
    assertThat(kept).isNotDone();
  }

  @Test
  void targetWithoutRepliesHoldsABoundedNumberOfCalls() throws Exception {
    RelayClient bounded = client(WAIT, 256, 2);
    target.answerProbesAlone();
    CompletableFuture<Outcome<RelayReply>> first = call(bounded, true);
    target.awaitCalls(1);
    pass(QUIET);
    target.awaitProbes(1);
    CompletableFuture<Outcome<RelayReply>> second = call(bounded, true);
    target.awaitCalls(2);

    assertThat(failure(call(bounded, true)))
        .isInstanceOfSatisfying(
            Failure.Overloaded.class,
            overloaded -> assertThat(overloaded.message()).contains("(limit 2)"));
    target.resume();
    assertThat(first.join()).isInstanceOf(Outcome.Success.class);
    assertThat(second.join()).isInstanceOf(Outcome.Success.class);
  }

  @Test
  void otherTargetsAreCalledWhileOneIsSilent() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> inFlight = call(client, true);
    untilSilent(client);
    assertThat(inFlight).isNotDone();
    try (StoppableTarget other = new StoppableTarget()) {
      assertThat(call(client, other.address(), ScriptedTarget.read(Deadline.NONE)).join())
          .isInstanceOf(Outcome.Success.class);
      assertThat(client.silentTargets()).isOne();
    }
  }

  @Test
  void addressThatLeavesTheMapIsNoLongerCountedAndItsCallsStillEnd() throws Exception {
    target.stop();
    CompletableFuture<Outcome<RelayReply>> call = call(client, true);
    untilSilent(client);

    client.keepOnly(Set.of());
    assertThat(client.silentTargets()).isZero();
    pass(WAIT);

    isUnavailable(call, "has not answered for");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1000})
  void targetThatRepliesToCallsButAnswersNoProbeIsNotSilent(int bodyBytes) throws Exception {
    target.giveBody(new byte[bodyBytes]);
    target.stop();
    CompletableFuture<Outcome<RelayReply>> first = call(client, true);
    CompletableFuture<Outcome<RelayReply>> second = call(client, true);
    CompletableFuture<?> one = whole(first);
    CompletableFuture<?> other = whole(second);
    target.awaitCalls(2);
    if (bodyBytes > 0) {
      CompletableFuture.allOf(first, second).join();
    }
    passInTicks(QUIET.multipliedBy(2));
    target.awaitProbes(1);
    passInTicks(PROBES_UNANSWERED.dividedBy(2));

    target.answerOne();
    CompletableFuture.anyOf(one, other).join();
    passInTicks(PROBES_UNANSWERED.dividedBy(2));

    assertThat(client.isSilent(target.address())).isFalse();
    assertThat(one.isDone() && other.isDone()).isFalse();
    passInTicks(PROBES_UNANSWERED);
    until(() -> client.isSilent(target.address()));
  }

  @Test
  void replyToACallEndsSilence() throws Exception {
    target.stop();
    CompletableFuture<?> one = call(client, true);
    CompletableFuture<?> other = call(client, true);
    target.awaitCalls(2);
    untilSilent(client);
    CompletableFuture<Outcome<RelayReply>> kept = call(client, true);
    until(() -> client.waitingCalls() == 1);

    target.answerOne();
    CompletableFuture.anyOf(one, other).join();

    target.awaitCalls(3);
    assertThat(client.isSilent(target.address())).isFalse();
    assertThat(kept).isNotDone();
  }

  @Test
  void bytesThatWaitedForASlowClientAreNoSignOfLife() throws Exception {
    target.giveBody(new byte[1 << 20]);
    CompletableFuture<Outcome<RelayReply>> begun = call(client, true);
    SlowReader reader = new SlowReader();
    RelayReply reply = ((Outcome.Success<RelayReply>) begun.join()).value();
    ((OutgoingBody.Stream) reply.body()).publisher().subscribe(reader);
    reader.readOne();
    target.giveBody(new byte[0]);
    target.stop();
    CompletableFuture<?> unanswered = call(client, true);
    target.awaitCalls(2);
    pass(QUIET);
    target.awaitProbes(1);
    passInTicks(PROBES_UNANSWERED.dividedBy(2));

    reader.readOne();
    passInTicks(PROBES_UNANSWERED.dividedBy(2));

    until(() -> client.isSilent(target.address()));
    assertThat(unanswered).isNotDone();
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 400, 2000})
  void delaysOfTheGatewayAreNoSilenceOfItsTarget(int delayMs) throws Exception {
    RelayClient patient = client(WAIT.multipliedBy(4), 256, 512);
    target.stop();
    CompletableFuture<Outcome<RelayReply>> call = call(patient, true);
    target.awaitCalls(1);
    pass(QUIET);
    target.awaitProbes(1);

    for (int delays = 0; delays < 5; delays++) {
      pass(Duration.ofMillis(delayMs));
      passInTicks(PROBES_UNANSWERED.dividedBy(20));
    }

    assertThat(patient.isSilent(target.address())).isFalse();
    while (!patient.isSilent(target.address())) {
      passInTicks(Duration.ofMillis(STEP_MS));
    }
    assertThat(call).isNotDone();
  }

  @Test
  void gatewayOnABusyMachineGivesItsTargetMoreTime() throws Exception {
    RelayClient patient = client(WAIT.multipliedBy(4), 256, 512);
    target.stop();
    CompletableFuture<Outcome<RelayReply>> call = call(patient, true);
    target.awaitCalls(1);
    pass(QUIET);
    target.awaitProbes(1);

    for (int ticks = 0; ticks < 2 * PROBES_UNANSWERED.toMillis() / STEP_MS; ticks++) {
      pass(Duration.ofMillis(20)); // By so much each tick is late.
      passInTicks(Duration.ofMillis(STEP_MS));
    }

    assertThat(patient.isSilent(target.address())).isFalse();
    while (!patient.isSilent(target.address())) {
      passInTicks(Duration.ofMillis(STEP_MS));
    }
    assertThat(call).isNotDone();
  }

  @Test
  void defectInOneTickDoesNotEndProbing() throws Exception {
    VertxInternal internal = (VertxInternal) vertx;
    EventLoop loop = internal.nettyEventLoopGroup().next();
    Bootstrap bootstrap =
        new Bootstrap()
            .group(loop)
            .channelFactory(internal.transport().channelFactory(false))
            .remoteAddress(target.address().host(), target.address().port());
    AtomicBoolean broken = new AtomicBoolean();
    TargetHealth health =
        new TargetHealth(
            new Connector(bootstrap, target.address(), to -> Optional.empty()),
            RelayLimits.DEFAULT,
            () -> {
              if (broken.getAndSet(false)) {
                throw new IllegalStateException("a defect");
              }
              return nanos.get();
            },
            new TargetHealth.Totals());
    target.stop();
    pass(QUIET);
    health.awaited(0);
    target.awaitProbes(1);

    broken.set(true);
    until(() -> !broken.get());
    passInTicks(PROBES_UNANSWERED);

    until(health::isSilent);
  }
}
