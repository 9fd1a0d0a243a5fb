package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A body whose sender is slow holds no connection to a target before it has begun to arrive. */
@Timeout(60)
class SlowBodiesTest {
  private static final byte[] NOTHING = {};

  /** One connection for all calls. */
  private static final RelayLimits LIMITS =
      new RelayLimits(
          1,
          8,
          Duration.ofMillis(500),
          Duration.ofSeconds(20),
          8,
          512,
          Duration.ofSeconds(2),
          Duration.ofMinutes(1));

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final RelayClient relay = new RelayClient(vertx, LIMITS);

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  void otherCallsUseTheConnectionUntilTheBodyHasBegun() throws IOException {
    try (ScriptedTarget target = new ScriptedTarget(SlowBodiesTest::answerAll)) {
      SlowBody first = new SlowBody();
      SlowBody second = new SlowBody();
      CompletableFuture<Outcome<RelayReply>> upload = put(target.address(), first, Deadline.NONE);
      CompletableFuture<Outcome<RelayReply>> other = put(target.address(), second, Deadline.NONE);
      first.asked.join();
      second.asked.join();

      for (int count = 0; count < 3; count++) {
        assertThat(read(target.address()).join()).isInstanceOf(Outcome.Success.class);
      }
      assertThat(upload).isNotDone();
      first.begin();
      assertThat(upload.join()).isInstanceOf(Outcome.Success.class);
      assertThat(other).isNotDone();
      second.begin();
      assertThat(other.join()).isInstanceOf(Outcome.Success.class);
      assertThat(target.connections()).isOne();
    }
  }

  @Test
  void timeOfTheSenderDoesNotCountForTheDeadline() throws IOException {
    Deadline deadline = Deadline.in(Duration.ofSeconds(2));
    try (ScriptedTarget target = new ScriptedTarget(SlowBodiesTest::answerAll)) {
      SlowBody body = new SlowBody();
      CompletableFuture<Outcome<RelayReply>> upload = put(target.address(), body, deadline);
      body.asked.join();
      while (!deadline.hasPassed()) {
        assertThat(read(target.address()).join()).isInstanceOf(Outcome.Success.class);
      }
      body.begin();

      assertThat(upload.join()).isInstanceOf(Outcome.Success.class);
    }
  }

  @Test
  void senderIsNotAskedBeforeTheTargetIsThere() throws IOException {
    int port = freePort();
    TargetAddress address = new TargetAddress("127.0.0.1", port);
    SlowBody body = new SlowBody();
    CompletableFuture<Outcome<RelayReply>> upload = put(address, body, Deadline.NONE);
    while (relay.waitingCalls() == 0) {
      Thread.onSpinWait();
    }
    assertThat(body.asked).isNotDone();

    try (ScriptedTarget target = new ScriptedTarget(port, SlowBodiesTest::answerAll)) {
      body.asked.join();
      body.begin();
      assertThat(upload.join()).isInstanceOf(Outcome.Success.class);
      assertThat(target.connections()).isPositive();
    }
  }

  @Test
  void bodyThatBeginsAfterItsTargetHasLeftTheMapIsRefused() throws IOException {
    try (ScriptedTarget target = new ScriptedTarget(SlowBodiesTest::answerAll)) {
      SlowBody body = new SlowBody();
      CompletableFuture<Outcome<RelayReply>> upload = put(target.address(), body, Deadline.NONE);
      body.asked.join();
      relay.keepOnly(Set.of());
      // The next call runs behind the retirement.
      assertThat(read(target.address()).join()).isInstanceOf(Outcome.Success.class);
      body.begin();

      assertThat(((Outcome.Failed<RelayReply>) upload.join()).failure())
          .isInstanceOf(Failure.Unavailable.class)
          .extracting(Failure::message)
          .asString()
          .contains("has left the cluster map");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  /** Answers all requests, with a body or without. */
  private static void answerAll(int connection, InputStream in, OutputStream out)
      throws IOException {
    while (true) {
      String head = ScriptedTarget.readHead(in);
      if (ScriptedTarget.isProbe(head)) {
        ScriptedTarget.answerProbe(out);
        continue;
      }
      if (head.contains("transfer-encoding: chunked")) {
        readLastChunk(in);
      } else {
        ScriptedTarget.readMessage(in, head);
      }
      ScriptedTarget.answer(out, "done", NOTHING);
    }
  }

  private static void readLastChunk(InputStream in) throws IOException {
    StringBuilder body = new StringBuilder();
    while (body.indexOf("\r\n0\r\n\r\n") < 0) {
      body.append((char) in.read());
    }
  }

  private CompletableFuture<Outcome<RelayReply>> put(
      TargetAddress address, IncomingBody body, Deadline deadline) {
    return relay
        .call(
            address,
            new RelayRequest(ScriptedTarget.change(deadline), () -> "none", Optional.of(body)))
        .toCompletableFuture();
  }

  private CompletableFuture<Outcome<RelayReply>> read(TargetAddress address) {
    return relay
        .call(
            address,
            new RelayRequest(ScriptedTarget.read(Deadline.NONE), () -> "none", Optional.empty()))
        .toCompletableFuture();
  }

  /** A body that begins when the test says so, and then ends. */
  static final class SlowBody implements IncomingBody {
    final CompletableFuture<Void> asked = new CompletableFuture<>();
    private @Nullable Runnable later;
    private boolean begun;

    @Override
    public synchronized boolean hasBegun(Runnable step) {
      later = step;
      asked.complete(null);
      return begun;
    }

    synchronized void begin() {
      begun = true;
      if (later != null) {
        later.run();
      }
    }

    @Override
    public long length() {
      return 0;
    }

    @Override
    public Flow.Publisher<ByteBuffer> bytes() {
      return subscriber ->
          subscriber.onSubscribe(
              new Flow.Subscription() {
                @Override
                public void request(long count) {
                  subscriber.onComplete();
                }

                @Override
                public void cancel() {}
              });
    }

    @Override
    public DeclaredDigests declaredDigests() {
      return DeclaredDigests.NONE;
    }
  }
}
