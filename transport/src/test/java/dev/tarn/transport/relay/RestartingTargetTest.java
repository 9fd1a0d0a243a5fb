package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.fixtures.target.StalledBody;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gateway does with calls to a target that is away; time passes when a test says so. */
@Timeout(60)
class RestartingTargetTest {
  private static final byte[] NOTHING = {};
  private static final Duration WAIT = Duration.ofSeconds(5);

  /** With one event loop, on which one refusal follows the other. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final AtomicLong nanos = new AtomicLong();
  private final RelayClient patient = transport(256);

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void callsWaitForATargetThatComesBack() throws IOException {
    TargetAddress address = addressOfNobody();
    CompletableFuture<Outcome<RelayReply>> read = call(patient, address, true);
    CompletableFuture<Outcome<RelayReply>> change = call(patient, address, false);
    untilRefused(address);
    assertThat(read).isNotDone();
    assertThat(change).isNotDone();

    try (ScriptedTarget back =
        new ScriptedTarget(address.port(), RestartingTargetTest::answersAll)) {
      assertThat(read.join()).isInstanceOf(Outcome.Success.class);
      assertThat(change.join()).isInstanceOf(Outcome.Success.class);
      assertThat(back.address()).isEqualTo(address);
    }
  }

  @Test
  void readThatAnotherTargetMayAnswerDoesNotWait() throws IOException {
    TargetAddress address = addressOfNobody();
    CompletableFuture<Outcome<RelayReply>> waiting = call(patient, address, true);

    SilentTargetFixture.isUnavailable(
        SilentTargetFixture.call(patient, address, ScriptedTarget.ownerFirst()),
        "accepts no connections");

    assertThat(patient.isAway(address)).isTrue();
    assertThat(waiting).isNotDone();
    try (ScriptedTarget back =
        new ScriptedTarget(address.port(), RestartingTargetTest::answersAll)) {
      assertThat(waiting.join()).isInstanceOf(Outcome.Success.class);
      assertThat(patient.isAway(back.address())).isFalse();
    }
  }

  @Test
  void bodyIsNotReadBeforeItsTargetIsThere() throws IOException {
    TargetAddress address = addressOfNobody();
    StalledBody body = new StalledBody(1);
    CompletableFuture<Outcome<RelayReply>> upload = upload(address, body);
    untilRefused(address);
    assertThat(body.isRequested()).isFalse();

    try (ScriptedTarget back =
        new ScriptedTarget(
            address.port(),
            (connection, in, out) -> {
              ScriptedTarget.takeProbe(in, out);
              storesBodyOnceRead(body, in, out);
            })) {
      assertThat(upload.join()).isInstanceOf(Outcome.Success.class);
      assertThat(back.connections()).isOne();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "HTTP/1.1 426 No\r\nconnection: close\r\ncontent-length: 3\r\n\r\nTLS",
        "HTTP/1.1 503 No\r\nconnection: close\r\ncontent-length: 3\r\n\r\nend",
        "HTTP/1.1 204 No\r\nconnection: close\r\n\r\n"
      })
  void bodyIsNotReadForATargetThatRefusesTheProbeBeforeIt(String refusal) throws IOException {
    StalledBody body = new StalledBody(1);
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          if (connection == 1) {
            ScriptedTarget.readHead(in);
            assertThat(body.isRequested()).isFalse();
            out.write(refusal.getBytes(ISO_8859_1));
          } else {
            ScriptedTarget.takeProbe(in, out);
            storesBodyOnceRead(body, in, out);
          }
        })) {
      assertThat(upload(target.address(), body).join()).isInstanceOf(Outcome.Success.class);
      assertThat(target.connections()).isEqualTo(2);
    }
  }

  @Test
  void bodyFollowsTheTextWithWhichAnOlderTargetAnswersAProbe() throws IOException {
    StalledBody body = new StalledBody(1);
    try (ScriptedTarget older =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readHead(in);
          out.write("HTTP/1.1 404 No\r\ncontent-length: 9\r\n\r\nnot ".getBytes(ISO_8859_1));
          assertThat(body.isRequested()).isFalse();
          out.write("found".getBytes(ISO_8859_1));
          storesBodyOnceRead(body, in, out);
        })) {
      assertThat(upload(older.address(), body).join()).isInstanceOf(Outcome.Success.class);
      assertThat(older.connections()).isOne();
    }
  }

  @Test
  void noProbePrecedesABodyOnAConnectionThatHasServedACall() throws IOException {
    StalledBody body = new StalledBody(1);
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          ScriptedTarget.answer(out, "read", NOTHING);
          assertThat(ScriptedTarget.isProbe(ScriptedTarget.readHead(in))).isFalse();
          storesBodyOnceRead(body, in, out);
        })) {
      assertThat(call(patient, target.address(), true).join()).isInstanceOf(Outcome.Success.class);
      assertThat(upload(target.address(), body).join()).isInstanceOf(Outcome.Success.class);
      assertThat(target.connections()).isOne();
    }
  }

  @Test
  void callThatATargetAboutToEndRefusesIsMadeAgain() throws IOException {
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          if (connection > 1) {
            answersAll(connection, in, out);
          }
          ScriptedTarget.readRequest(in);
          out.write(
              "HTTP/1.1 503 No\r\nconnection: close\r\ncontent-length: 3\r\n\r\nend"
                  .getBytes(ISO_8859_1));
        })) {
      assertThat(call(patient, target.address(), false).join()).isInstanceOf(Outcome.Success.class);
      assertThat(target.connections()).isEqualTo(2);
    }
  }

  @Test
  void callWaitsNoLongerThanTheBound() throws IOException {
    TargetAddress address = addressOfNobody();
    CompletableFuture<Outcome<RelayReply>> waiting = call(patient, address, true);
    untilRefused(address);
    assertThat(waiting).isNotDone();

    nanos.addAndGet(WAIT.toNanos());

    isUnavailable(waiting);
  }

  @Test
  void targetThatHasBeenAwayForAMinuteIsNotWaitedFor() throws IOException {
    TargetAddress address = addressOfNobody();
    CompletableFuture<Outcome<RelayReply>> first = call(patient, address, true);
    nanos.addAndGet(WAIT.toNanos());
    isUnavailable(first);

    nanos.addAndGet(Duration.ofMinutes(1).toNanos());

    isUnavailable(call(patient, address, true));
  }

  @Test
  void callsBeyondTheBoundDoNotWait() throws IOException {
    RelayClient bounded = transport(1);
    TargetAddress address = addressOfNobody();
    CompletableFuture<Outcome<RelayReply>> first = call(bounded, address, true);
    untilRefused(address);

    CompletableFuture<Outcome<RelayReply>> second = call(bounded, address, true);
    CompletableFuture<Outcome<RelayReply>> third = call(bounded, address, true);

    CompletableFuture<Outcome<RelayReply>> refused =
        first.applyToEither(second, Function.identity()).applyToEither(third, Function.identity());
    isUnavailable(refused);
  }

  @Test
  void callWaitsNoLongerThanItsDeadline() throws IOException {
    RelayRequest hurried =
        new RelayRequest(
            ScriptedTarget.read(Deadline.in(Duration.ofMillis(100))),
            () -> "none",
            Optional.empty());

    Outcome<RelayReply> outcome =
        patient.call(addressOfNobody(), hurried).toCompletableFuture().join();

    assertThat(((Outcome.Failed<RelayReply>) outcome).failure())
        .isInstanceOf(Failure.DeadlinePassed.class);
  }

  private static void isUnavailable(CompletableFuture<Outcome<RelayReply>> call) {
    assertThat(((Outcome.Failed<RelayReply>) call.join()).failure())
        .isInstanceOfSatisfying(
            Failure.Unavailable.class,
            unavailable -> assertThat(unavailable.message()).contains("accepts no connections"));
  }

  private RelayClient transport(int waitingMax) {
    RelayLimits usual = RelayLimits.DEFAULT;
    RelayLimits limits =
        new RelayLimits(
            usual.connectionsMax(),
            usual.waitingMax(),
            usual.waitMax(),
            WAIT,
            waitingMax,
            usual.unansweredMax(),
            usual.connectTimeoutMax(),
            usual.idleTimeoutMax());
    return new RelayClient(vertx, limits, nanos::get);
  }

  /** Returns when connections that were begun before have been refused, too. */
  private void untilRefused(TargetAddress address) {
    isUnavailable(call(new RelayClient(vertx, RelayLimits.DEFAULT), address, true));
  }

  private static TargetAddress addressOfNobody() throws IOException {
    try (ScriptedTarget gone = new ScriptedTarget(RestartingTargetTest::answersAll)) {
      return gone.address();
    }
  }

  private static void answersAll(int connection, InputStream in, OutputStream out)
      throws IOException {
    while (true) {
      ScriptedTarget.readRequest(in);
      ScriptedTarget.answer(out, "from " + connection, NOTHING);
    }
  }

  private static void storesBodyOnceRead(StalledBody body, InputStream in, OutputStream out)
      throws IOException {
    body.firstRequest().join();
    ScriptedTarget.answer(out, "stored", NOTHING);
    in.readAllBytes();
  }

  private CompletableFuture<Outcome<RelayReply>> upload(TargetAddress address, IncomingBody body) {
    return patient
        .call(
            address,
            new RelayRequest(ScriptedTarget.change(Deadline.NONE), () -> "none", Optional.of(body)))
        .toCompletableFuture();
  }

  private static CompletableFuture<Outcome<RelayReply>> call(
      RelayClient transport, TargetAddress address, boolean repeatable) {
    return transport
        .call(
            address,
            new RelayRequest(
                repeatable
                    ? ScriptedTarget.read(Deadline.NONE)
                    : ScriptedTarget.change(Deadline.NONE),
                () -> "none",
                Optional.empty()))
        .toCompletableFuture();
  }
}
