package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.GatewayLimits;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Exchanges that end otherwise than by the last byte of their answer. */
class LostClientsTest {
  private static final String GET = "GET /lost/k HTTP/1.1\r\nHost: test\r\n";

  @Test
  void bodyOfAnAnswerIsClosedWhenItsClientLeavesWhileSending() throws Exception {
    CountDownLatch opened = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    OutgoingBody watched =
        new OutgoingBody.Stream(
            subscriber -> subscriber.onSubscribe(new EndlessBytes(subscriber)),
            1,
            closed::countDown);
    try (GatewayFixture gateway =
        gateway(
            GatewayLimits.DEFAULT,
            target ->
                new SubstituteReads(
                    target,
                    ignored -> {
                      opened.countDown();
                      return watched;
                    },
                    1))) {
      try (RawConnection leaving = new RawConnection(gateway.port())) {
        leaving.send(GET + "Content-Length: 1000\r\n\r\nabc");
        assertThat(opened.await(20, TimeUnit.SECONDS)).isTrue();
      }

      assertThat(closed.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void pipelinedRequestKeepsItsConnectionBusy() throws Exception {
    CompletableFuture<Void> release = new CompletableFuture<>();
    CountDownLatch arrived = new CountDownLatch(1);
    try (GatewayFixture gateway =
            gateway(withIdleMs(300), target -> new StalledReads(target, arrived, release));
        RawConnection pipelined = new RawConnection(gateway.port())) {
      pipelined.send("GET /none/k HTTP/1.1\r\nHost: test\r\n\r\n" + GET + "\r\n");
      assertThat(pipelined.receive().body()).contains("NoSuchBucket");
      assertThat(arrived.await(20, TimeUnit.SECONDS)).isTrue();
      for (int round = 0; round < 2; round++) {
        try (RawConnection idle = new RawConnection(gateway.port())) {
          assertThat(idle.read()).isEqualTo(-1);
        }
      }
      release.complete(null);

      assertThat(pipelined.receive().body()).isEqualTo("x");
    }
  }

  @Test
  void answerThatCannotBeWrittenEndsItsConnection() throws Exception {
    try (GatewayFixture gateway = gateway(GatewayLimits.DEFAULT, Unwritable::new);
        RawConnection connection = new RawConnection(gateway.port())) {
      connection.send("HEAD /lost/k HTTP/1.1\r\nHost: test\r\n\r\n");

      assertThat(connection.read()).isEqualTo(-1);
    }
  }

  private static GatewayFixture gateway(GatewayLimits limits, UnaryOperator<ObjectTarget> wrap) {
    GatewayFixture gateway = new GatewayFixture(limits, wrap);
    gateway.createPublicBucket("lost");
    try (S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      s3.putObject(r -> r.bucket("lost").key("k"), RequestBody.fromString("x"));
    }
    return gateway;
  }

  private static GatewayLimits withIdleMs(long idleMs) {
    GatewayLimits defaults = GatewayLimits.DEFAULT;
    return new GatewayLimits(
        defaults.initialLineBytesMax(),
        defaults.headerBytesMax(),
        defaults.bodyBytesMax(),
        defaults.documentBytesMax(),
        defaults.connectionsMax(),
        defaults.heldBytesMax(),
        defaults.deletesInFlightMax(),
        idleMs,
        defaults.progressPeriodMs(),
        defaults.progressBytesMin(),
        defaults.stalledMsMax(),
        defaults.unreadBytesMax(),
        defaults.drainMsMax(),
        defaults.targetWaitMsMax());
  }

  /** Knows objects that say what no header can carry. */
  private static final class Unwritable extends ForwardingTarget {
    Unwritable(ObjectTarget target) {
      super(target);
    }

    @Override
    public CompletionStage<Outcome<ObjectHead>> head(
        TargetRequest.Head request, IncomingBody body) {
      return super.head(request, body).thenApply(outcome -> outcome.map(Unwritable::spoilt));
    }

    private static ObjectHead spoilt(ObjectHead head) {
      ObjectMetadata stored = head.metadata();
      return new ObjectHead(
          new ObjectMetadata(
              stored.name(),
              stored.version(),
              stored.nullVersion(),
              stored.deleteMarker(),
              stored.sizeBytes(),
              stored.etag(),
              stored.checksums(),
              new ObjectAttributes(Map.of("content-type", "a\r\nb"), Map.of(), Map.of()),
              stored.modifiedMs(),
              stored.parts(),
              stored.origin()),
          head.offset(),
          head.length());
    }
  }
}
