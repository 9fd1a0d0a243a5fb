package dev.tarn.transport.relay;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.fixtures.target.BodyBytes;
import dev.tarn.transport.body.PooledMemory;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.internal.ContextInternal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a gateway makes of what its targets do on their connections, good and bad. */
@Timeout(60)
class RelayClientTest {
  private static final byte[] NOTHING = {};

  /** With one event loop, since connections are kept by loop. */
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));

  private final RelayClient transport = new RelayClient(vertx, RelayLimits.DEFAULT);

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void anAnswerInManyPiecesIsOneAnswer() throws IOException {
    byte[] body = randomBytes(1000);
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          for (byte piece : ScriptedTarget.head(5, body.length)) {
            out.write(piece);
          }
          for (byte piece : "whole".getBytes(ISO_8859_1)) {
            out.write(piece);
          }
          for (byte piece : body) {
            out.write(piece);
          }
          in.read();
        })) {
      RelayReply reply = success(call(transport, target, true));
      assertThat(new String(reply.message(), ISO_8859_1)).isEqualTo("whole");
      assertThat(BodyBytes.read(reply.body())).isEqualTo(body);
    }
  }

  @Test
  void aConnectionServesOneCallAfterTheOther() throws IOException {
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          while (true) {
            String message = ScriptedTarget.readRequest(in);
            ScriptedTarget.answer(out, message, randomBytes(300_000));
          }
        })) {
      for (int i = 0; i < 5; i++) {
        RelayReply reply = success(call(transport, target, false));
        assertThat(BodyBytes.read(reply.body())).isEqualTo(randomBytes(300_000));
      }
      assertThat(target.connections()).isOne();
    }
  }

  @Test
  void aBodyThatBreaksOffFailsItsReader() throws IOException {
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          out.write(ScriptedTarget.head(1, 1_000_000));
          out.write(new byte[500_000]);
        })) {
      RelayReply reply = success(call(transport, target, true));
      assertThatThrownBy(() -> BodyBytes.read(reply.body()))
          .hasStackTraceContaining("the target broke off its answer");
    }
  }

  @Test
  void aReadIsRepeatedWhereAKeptConnectionTurnsOutToBeClosed() throws IOException {
    try (ScriptedTarget target = new ScriptedTarget(RelayClientTest::closesAtTheSecondCall)) {
      assertThat(success(call(transport, target, true)).message()).isEqualTo(bytes("1"));
      assertThat(success(call(transport, target, true)).message()).isEqualTo(bytes("2"));
      assertThat(target.connections()).isEqualTo(2);
    }
  }

  @Test
  void aChangeIsNotRepeatedAsItMayHaveBeenMade() throws IOException {
    try (ScriptedTarget target = new ScriptedTarget(RelayClientTest::closesAtTheSecondCall)) {
      success(call(transport, target, false));
      assertThat(failure(call(transport, target, false)))
          .isInstanceOf(Failure.Unavailable.class)
          .extracting(Failure::message)
          .asString()
          .contains("closed the connection");
    }
  }

  @Test
  void aReadThatIsLostIsRepeatedOnce() throws IOException {
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> ScriptedTarget.readRequest(in))) {
      assertThat(failure(call(transport, target, true))).isInstanceOf(Failure.Unavailable.class);
      assertThat(target.connections()).isEqualTo(2);
    }
  }

  private static void closesAtTheSecondCall(int connection, InputStream in, OutputStream out)
      throws IOException {
    ScriptedTarget.readRequest(in);
    ScriptedTarget.answer(out, Integer.toString(connection), NOTHING);
    ScriptedTarget.readRequest(in);
  }

  @Test
  void aSilentTargetIsGivenUp() throws IOException {
    RelayClient impatient = new RelayClient(vertx, limits(4, 4, Duration.ofMillis(100)));
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          in.read();
        })) {
      assertThat(failure(call(impatient, target, true)).message())
          .contains("was silent for 100 ms");
    }
  }

  @Test
  void callsBeyondTheBoundWaitAndThoseBeyondTheirsAreRefused() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    RelayClient bounded = new RelayClient(vertx, limits(1, 1, Duration.ofSeconds(30)));
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          while (true) {
            ScriptedTarget.readRequest(in);
            await(released);
            ScriptedTarget.answer(out, "late", NOTHING);
          }
        })) {
      CompletableFuture<Outcome<RelayReply>> first = call(bounded, target, true);
      CompletableFuture<Outcome<RelayReply>> second = call(bounded, target, true);
      CompletableFuture<Outcome<RelayReply>> third = call(bounded, target, true);

      assertThat(failure(third)).isInstanceOf(Failure.Overloaded.class);
      released.countDown();
      assertThat(success(first).message()).isEqualTo(bytes("late"));
      assertThat(success(second).message()).isEqualTo(bytes("late"));
      assertThat(target.connections()).isOne();
    }
  }

  @Test
  void aCallThatWaitsTooLongForAConnectionIsRefused() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    RelayClient busy =
        new RelayClient(vertx, limits(1, 1, Duration.ofMillis(100), Duration.ofSeconds(30)));
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          await(released);
          ScriptedTarget.answer(out, "late", NOTHING);
        })) {
      CompletableFuture<Outcome<RelayReply>> first = call(busy, target, true);
      CompletableFuture<Outcome<RelayReply>> second = call(busy, target, true);

      assertThat(failure(second)).isInstanceOf(Failure.Overloaded.class);
      released.countDown();
      assertThat(success(first).message()).isEqualTo(bytes("late"));
    }
  }

  @Test
  void callThatFollowsAnEndedWaitIsRefusedInItsTurn() throws Exception {
    CountDownLatch released = new CountDownLatch(1);
    RelayClient busy =
        new RelayClient(vertx, limits(1, 1, Duration.ofMillis(100), Duration.ofSeconds(30)));
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          await(released);
          ScriptedTarget.answer(out, "late", NOTHING);
        })) {
      CompletableFuture<Outcome<RelayReply>> first = call(busy, target, true);
      ContextInternal loop = (ContextInternal) vertx.getOrCreateContext();
      CompletableFuture<Outcome<RelayReply>> following =
          call(busy, target, true)
              .thenCompose(ended -> {
                CompletableFuture<CompletableFuture<Outcome<RelayReply>>> begun =
                    new CompletableFuture<>();
                loop.dispatch(() -> begun.complete(call(busy, target, true)));
                return begun.thenCompose(reply -> reply);
              });

      assertThat(failure(following).message()).contains("became free within 100 ms");
      released.countDown();
      assertThat(success(first).message()).isEqualTo(bytes("late"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1x\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ntarn-message-length: 2\r\ncontent-length: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\nmore",
        "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n",
        "220 smtp ready\r\n\r\n",
      })
  void whatIsNoAnswerOfATargetIsNoOutcome(String answer) throws IOException {
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          out.write(answer.getBytes(ISO_8859_1));
          in.read();
        })) {
      assertThat(failure(call(transport, target, true))).isInstanceOf(Failure.Unavailable.class);
    }
  }

  @Test
  void noMoreIsReadThanIsTakenAndClosingTheBodyEndsItsConnection() throws Exception {
    CompletableFuture<Long> written = new CompletableFuture<>();
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          out.write(ScriptedTarget.head(0, 1L << 40));
          long count = 0;
          try {
            while (true) {
              out.write(new byte[100_000]);
              count += 100_000;
            }
          } finally {
            written.complete(count);
          }
        })) {
      RelayReply reply = success(call(transport, target, true));
      CountDownLatch taken = new CountDownLatch(1);
      ((OutgoingBody.Stream) reply.body()).publisher().subscribe(takingOne(taken));
      assertThat(taken.await(20, TimeUnit.SECONDS)).isTrue();
      reply.body().close();

      assertThat(written.get(20, TimeUnit.SECONDS)).isLessThan(64L << 20);
    }
  }

  @ParameterizedTest
  @CsvSource({"true, 16384", "false, 131072"})
  void bodiesAreReadInSmallPiecesWhileManyBytesWaitForSlowClients(boolean crowded, int sizeMax)
      throws Exception {
    byte[] body = randomBytes(3_000_000);
    RelayClient client =
        new RelayClient(vertx, RelayLimits.DEFAULT, System::nanoTime, () -> crowded);
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          out.write(ScriptedTarget.head(0, body.length));
          out.write(body);
          in.read();
        })) {
      OutgoingBody.Stream reply = (OutgoingBody.Stream) success(call(client, target, true)).body();
      LargestPiece largest = new LargestPiece();
      reply.publisher().subscribe(largest);

      assertThat(largest.whole.get(20, TimeUnit.SECONDS)).isBetween(sizeMax / 2, sizeMax);
    }
  }

  /** Takes a body, and remembers its largest piece behind the first one. */
  private static final class LargestPiece implements Flow.Subscriber<ByteBuffer> {
    private final CompletableFuture<Integer> whole = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription;
    private boolean begun;
    private int largest;

    @Override
    public void onSubscribe(Flow.Subscription given) {
      subscription = given;
      given.request(1);
    }

    @Override
    public void onNext(ByteBuffer piece) {
      largest = begun ? Math.max(largest, piece.remaining()) : 0;
      begun = true;
      requireNonNull(subscription).request(1);
    }

    @Override
    public void onError(Throwable cause) {
      whole.completeExceptionally(cause);
    }

    @Override
    public void onComplete() {
      whole.complete(largest);
    }
  }

  @Test
  void theMemoryOfBodiesIsGivenBack() throws IOException {
    byte[] body = randomBytes(3_000_000);
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          while (true) {
            ScriptedTarget.readRequest(in);
            ScriptedTarget.answer(out, "", body);
          }
        })) {
      long before = PooledMemory.usedBytes();
      for (int i = 0; i < 20; i++) {
        assertThat(BodyBytes.read(success(call(transport, target, true)).body()))
            .hasSize(3_000_000);
        success(call(transport, target, true)).body().close();
      }
      assertThat(PooledMemory.usedBytes() - before).isLessThan(10L * body.length);
    }
  }

  @Test
  void connectionsToAddressesThatAreNoMorePartOfTheMapAreClosed() throws IOException {
    CountDownLatch closed = new CountDownLatch(1);
    CountDownLatch halfway = new CountDownLatch(1);
    byte[] body = randomBytes(1000);
    try (ScriptedTarget target =
        new ScriptedTarget((connection, in, out) -> {
          ScriptedTarget.readRequest(in);
          out.write(ScriptedTarget.head(0, body.length));
          out.write(body, 0, 500);
          await(halfway);
          out.write(body, 500, 500);
          if (in.read() < 0) {
            closed.countDown();
          }
        })) {
      RelayReply reply = success(call(transport, target, true));

      transport.keepOnly(Set.of());
      halfway.countDown();

      assertThat(BodyBytes.read(reply.body())).isEqualTo(body);
      await(closed);
      assertThat(BodyBytes.read(success(call(transport, target, true)).body())).isEqualTo(body);
      assertThat(target.connections()).isEqualTo(2);
    }
  }

  private static Flow.Subscriber<ByteBuffer> takingOne(CountDownLatch taken) {
    return new Flow.Subscriber<>() {
      @Override
      public void onSubscribe(Flow.Subscription subscription) {
        subscription.request(1);
      }

      @Override
      public void onNext(ByteBuffer bytes) {
        taken.countDown();
      }

      @Override
      public void onError(Throwable failure) {}

      @Override
      public void onComplete() {}
    };
  }

  private static RelayLimits limits(int connectionsMax, int waitingMax, Duration idle) {
    return limits(connectionsMax, waitingMax, Duration.ofSeconds(30), idle);
  }

  private static RelayLimits limits(
      int connectionsMax, int waitingMax, Duration wait, Duration idle) {
    return new RelayLimits(
        connectionsMax, waitingMax, wait, Duration.ZERO, 0, 512, Duration.ofSeconds(2), idle);
  }

  private static CompletableFuture<Outcome<RelayReply>> call(
      RelayClient transport, ScriptedTarget target, boolean repeatable) {
    return transport
        .call(
            target.address(),
            new RelayRequest(
                repeatable
                    ? ScriptedTarget.read(Deadline.NONE)
                    : ScriptedTarget.change(Deadline.NONE),
                () -> "none",
                Optional.empty()))
        .toCompletableFuture();
  }

  private static RelayReply success(CompletableFuture<Outcome<RelayReply>> outcome) {
    Outcome<RelayReply> given = outcome.join();
    assertThat(given).isInstanceOf(Outcome.Success.class);
    return ((Outcome.Success<RelayReply>) given).value();
  }

  private static Failure failure(CompletableFuture<Outcome<RelayReply>> outcome) {
    return ((Outcome.Failed<RelayReply>) outcome.join()).failure();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException interrupted) {
      throw new IllegalStateException(interrupted);
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(ISO_8859_1);
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(3).nextBytes(bytes);
    return bytes;
  }
}
