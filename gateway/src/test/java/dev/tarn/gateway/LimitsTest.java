package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.presigner.S3Presigner;

/** Every bound is kept, and a client that does not move is cut off. */
class LimitsTest {
  private static final GatewayLimits DEFAULT = GatewayLimits.DEFAULT;

  @Test
  void connectionBeyondTheBoundIsToldToSlowDown() throws IOException {
    try (GatewayFixture gateway = gateway(limits(2, 60_000, 60_000, 1_000));
        RawConnection first = new RawConnection(gateway.port());
        RawConnection second = new RawConnection(gateway.port())) {
      assertThat(first.send(get()).receive().status()).isEqualTo(404);
      assertThat(second.send(get()).receive().status()).isEqualTo(404);
      try (RawConnection third = new RawConnection(gateway.port())) {
        RawResponse refused = third.send(get()).receive();

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("<Code>SlowDown</Code>");
        assertThat(refused.closes()).isTrue();
      }
    }
  }

  @Test
  void connectionsTakeAtMostThreeQuartersOfTheOpenFiles() {
    assertThat(DEFAULT.withinOpenFiles(20_000).connectionsMax()).isEqualTo(15_000);
    assertThat(DEFAULT.withinOpenFiles(1).connectionsMax()).isEqualTo(1);
    assertThat(DEFAULT.withinOpenFiles(1_048_576).connectionsMax())
        .isEqualTo(DEFAULT.connectionsMax());
    assertThat(DEFAULT.withinOpenFiles(Long.MAX_VALUE)).isEqualTo(DEFAULT);
  }

  @Test
  void bodyBeyondTheBoundIsRefusedUnread() throws IOException {
    try (GatewayFixture gateway = gateway(DEFAULT);
        RawConnection connection = new RawConnection(gateway.port())) {
      RawResponse refused =
          connection
              .send("PUT /limits/k HTTP/1.1\r\nHost: test\r\nContent-Length: 99999999999\r\n\r\n")
              .receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("EntityTooLarge");
      assertThat(refused.closes()).isTrue();
    }
  }

  @Test
  void idleConnectionIsClosedAlsoWhenItSendsAHeadByteByByte() throws IOException {
    try (GatewayFixture gateway = gateway(limits(100, 200, 60_000, 1));
        RawConnection idle = new RawConnection(gateway.port());
        RawConnection slow = new RawConnection(gateway.port())) {
      slow.send("GET /limits/k HT");

      assertThat(idle.read()).isEqualTo(-1);
      assertThat(slow.read()).isEqualTo(-1);
    }
  }

  @Test
  void clientThatStopsSendingIsToldThatItTimedOut() throws IOException {
    try (GatewayFixture gateway = gateway(limits(100, 60_000, 200, 1_000));
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(
          "PUT "
              + presignedPut(gateway)
              + " HTTP/1.1\r\nHost: 127.0.0.1:"
              + gateway.port()
              + "\r\nContent-Length: 1000\r\n\r\nabc");

      assertThat(connection.receive().body()).contains("RequestTimeout");
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void refusedClientThatStopsSendingIsStillToldWhy() throws IOException {
    try (GatewayFixture gateway = gateway(limits(100, 60_000, 200, 1_000));
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send("PUT /limits/k HTTP/1.1\r\nHost: test\r\nContent-Length: 1000\r\n\r\nabc");

      assertThat(connection.receive().body()).contains("AccessDenied");
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void bodyThatNobodyWantsIsReadUpToABoundAndThenTheConnectionIsClosed() throws IOException {
    try (GatewayFixture gateway = gateway(withUnreadBytes(1000));
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(
          "PUT /limits/k HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n"
              + "400\r\n"
              + "a".repeat(0x400)
              + "\r\n");

      RawResponse refused = connection.receive();
      assertThat(refused.body()).contains("AccessDenied");
      assertThat(refused.closes()).isTrue();
      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  @Test
  void bodyThatNobodyWantsIsReadForABoundedTime() throws IOException {
    try (GatewayFixture gateway = gateway(limits(100, 60_000, 200, 1));
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send("PUT /limits/k HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");

      long giveUpNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      assertThatThrownBy(
              () -> {
                while (System.nanoTime() < giveUpNanos) {
                  connection.send("1\r\na\r\n");
                }
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void clientThatReadsNothingIsCutOffAndItsBodyIsClosed() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    long length = 1L << 40;
    OutgoingBody endless =
        new OutgoingBody.Stream(
            subscriber -> subscriber.onSubscribe(new EndlessBytes(subscriber)),
            length,
            closed::countDown);
    try (GatewayFixture gateway =
            new GatewayFixture(
                limits(100, 60_000, 300, 1_000),
                target -> new SubstituteReads(target, ignored -> endless, length));
        RawConnection connection = open(gateway);
        S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      s3.putObject(r -> r.bucket("limits").key("k"), RequestBody.fromString("x"));
      connection.send(get());

      assertThat(closed.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void stoppingLetsRequestsInFlightEndAndTakesNoNewOnes() throws Exception {
    CompletableFuture<Void> release = new CompletableFuture<>();
    CountDownLatch arrived = new CountDownLatch(1);
    GatewayFixture gateway =
        new GatewayFixture(DEFAULT, target -> new StalledReads(target, arrived, release));
    try (RawConnection inFlight = open(gateway);
        RawConnection idle = new RawConnection(gateway.port())) {
      // One that has not been accepted yet would be reset.
      idle.send("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      assertThat(idle.receive().status()).isEqualTo(403);
      inFlight.send(get());
      assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
      Thread stopping = Thread.startVirtualThread(gateway::stop);

      assertThat(idle.read()).isEqualTo(-1);
      release.complete(null);
      assertThat(inFlight.receive().status()).isEqualTo(404);
      assertThat(inFlight.read()).isEqualTo(-1);
      stopping.join();
    } finally {
      gateway.close();
    }
  }

  @Test
  void slowClientsHoldNoThread() throws IOException {
    try (GatewayFixture gateway = gateway(DEFAULT)) {
      int threads = Thread.activeCount();
      List<RawConnection> slow = new ArrayList<>();
      for (int client = 0; client < 200; client++) {
        slow.add(
            new RawConnection(gateway.port())
                .send("PUT /limits/k HTTP/1.1\r\nHost: t\r\nContent-Length: 1000\r\n\r\na"));
      }

      assertThat(Thread.activeCount()).isLessThan(threads + 20);
      try (RawConnection fast = new RawConnection(gateway.port())) {
        assertThat(fast.send(get()).receive().status()).isEqualTo(404);
      }
      for (RawConnection connection : slow) {
        connection.close();
      }
    }
  }

  private static GatewayFixture gateway(GatewayLimits limits) {
    GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity());
    gateway.createPublicBucket("limits");
    return gateway;
  }

  private static RawConnection open(GatewayFixture gateway) throws IOException {
    gateway.createPublicBucket("limits");
    return new RawConnection(gateway.port());
  }

  private static GatewayLimits limits(
      int connections, long idleMs, long progressMs, long progressBytes) {
    return new GatewayLimits(
        DEFAULT.initialLineBytesMax(),
        DEFAULT.headerBytesMax(),
        DEFAULT.bodyBytesMax(),
        DEFAULT.documentBytesMax(),
        connections,
        DEFAULT.heldBytesMax(),
        DEFAULT.deletesInFlightMax(),
        idleMs,
        progressMs,
        progressBytes,
        progressMs,
        DEFAULT.unreadBytesMax(),
        DEFAULT.drainMsMax(),
        DEFAULT.targetWaitMsMax());
  }

  private static GatewayLimits withUnreadBytes(long unreadBytesMax) {
    return new GatewayLimits(
        DEFAULT.initialLineBytesMax(),
        DEFAULT.headerBytesMax(),
        DEFAULT.bodyBytesMax(),
        DEFAULT.documentBytesMax(),
        DEFAULT.connectionsMax(),
        DEFAULT.heldBytesMax(),
        DEFAULT.deletesInFlightMax(),
        DEFAULT.idleMsMax(),
        DEFAULT.progressPeriodMs(),
        DEFAULT.progressBytesMin(),
        DEFAULT.stalledMsMax(),
        unreadBytesMax,
        DEFAULT.drainMsMax(),
        DEFAULT.targetWaitMsMax());
  }

  private static String presignedPut(GatewayFixture gateway) {
    try (S3Presigner presigner = gateway.presigner(GatewayFixture.ALICE)) {
      return presigner
          .presignPutObject(presign ->
              presign
                  .signatureDuration(Duration.ofMinutes(5))
                  .putObjectRequest(put -> put.bucket("limits").key("k")))
          .url()
          .getFile();
    }
  }

  private static String get() {
    return "GET /limits/k HTTP/1.1\r\nHost: test\r\n\r\n";
  }
}
