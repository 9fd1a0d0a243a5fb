package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Clients that send or read a byte at a time hold memory, and nothing that others need. */
class SlowClientsTest {
  private static final int SENDERS_OF_HEADS = 500;
  private static final int SENDERS_OF_BODIES = 1000;
  private static final int READERS = 100;
  private static final int BODY_BYTES = 40;
  private static final long ANSWER_BYTES = 8L << 20;

  @Test
  void slowClientsAreServedAndOthersBesideThem() throws IOException {
    try (GatewayFixture gateway =
            new GatewayFixture(
                GatewayLimits.DEFAULT,
                target -> new SubstituteReads(target, SlowClientsTest::zeros, ANSWER_BYTES));
        S3Client honest = gateway.client(GatewayFixture.BOB);
        SlowClients slow = new SlowClients(gateway.port())) {
      gateway.createPublicBucket("slow");
      honest.createBucket(create -> create.bucket("honest"));
      put(gateway, "slow", "k");
      List<SlowClients.Client> uploads = new ArrayList<>();
      List<SlowClients.Client> others = new ArrayList<>();
      for (int count = 0; count < SENDERS_OF_HEADS; count++) {
        others.add(slow.sender("GET /slow/k HTTP/1.1\r\nHost: test\r\n\r\n", 1));
      }
      for (int count = 0; count < SENDERS_OF_BODIES; count++) {
        String head = uploadHead(gateway, "upload-" + count);
        uploads.add(slow.sender(head + "x".repeat(BODY_BYTES), head.length()));
      }
      for (int count = 0; count < READERS; count++) {
        others.add(slow.reader("GET /slow/k HTTP/1.1\r\nHost: test\r\n\r\n"));
      }
      while (inFlight(gateway) < SENDERS_OF_BODIES + READERS) {
        slow.round();
        honest.putObject(put -> put.bucket("honest").key("k"), RequestBody.fromString("x"));
        honest.headObject(head -> head.bucket("honest").key("k"));
      }

      assertThat(others).noneMatch(SlowClients.Client::ended);
      for (SlowClients.Client upload : uploads) {
        assertThat(upload.received()).isEmpty();
        upload.sendRest();
      }
      while (!uploads.stream().allMatch(upload -> upload.received().contains("\r\n\r\n"))) {
        slow.round();
      }
      assertThat(uploads).allMatch(upload -> upload.received().startsWith("HTTP/1.1 200 OK"));
    }
  }

  @Test
  void memoryThatOneUserHoldsIsRefusedToThatUserAlone() throws IOException {
    GatewayLimits limits = limits(512 << 10, 4_000, 60_000);
    try (GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity());
        S3Client honest = gateway.client(GatewayFixture.BOB)) {
      gateway.createPublicBucket("slow");
      honest.createBucket(create -> create.bucket("honest"));
      try (SlowClients slow = new SlowClients(gateway.port())) {
        for (int count = 0; count < 64; count++) {
          String head = uploadHead(gateway, "upload-" + count);
          slow.sender(head + "x".repeat(BODY_BYTES), head.length());
        }
        RawResponse answer = missing(gateway);
        while (answer.status() != 503) {
          assertThat(answer.status()).isEqualTo(404);
          honest.putObject(put -> put.bucket("honest").key("k"), RequestBody.fromString("x"));
          answer = missing(gateway);
        }
        assertThat(answer.body())
            .contains("<Code>SlowDown</Code>")
            .containsPattern("clients hold \\d+ bytes of memory \\(limit 524288\\)");
        for (int count = 0; count < 20; count++) {
          honest.putObject(put -> put.bucket("honest").key("k"), RequestBody.fromString("x"));
          honest.headObject(head -> head.bucket("honest").key("k"));
        }
        assertThat(heldBytes(gateway)).isGreaterThan(512 << 10);
      }

      int status = missing(gateway).status();
      while (status == 503) {
        status = missing(gateway).status();
      }
      assertThat(status).isEqualTo(404);
    }
  }

  @Test
  void slowTransfersAreCutOffWhenMemoryIsShort() throws IOException {
    GatewayLimits limits = limits(256 << 10, 60_000, 400);
    try (GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity());
        SlowClients slow = new SlowClients(gateway.port())) {
      gateway.createPublicBucket("slow");
      List<SlowClients.Client> uploads = new ArrayList<>();
      for (int count = 0; count < 64; count++) {
        String head = uploadHead(gateway, "upload-" + count);
        uploads.add(slow.sender(head + "x".repeat(BODY_BYTES), head.length()));
      }

      while (uploads.stream().noneMatch(SlowClients.Client::ended)) {
        slow.round();
      }
      assertThat(uploads.stream().filter(SlowClients.Client::ended).findFirst().orElseThrow())
          .satisfies(cut -> assertThat(cut.received()).contains("<Code>RequestTimeout</Code>"));
    }
  }

  @Test
  void addressThatTakesAllConnectionsLosesItsIdleOnes() throws IOException {
    int connectionsMax = 40;
    GatewayLimits limits = limits(1 << 30, 3_600_000, 60_000, connectionsMax);
    try (GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity());
        S3Client honest = gateway.client(GatewayFixture.BOB);
        SlowClients slow = new SlowClients(gateway.port())) {
      honest.createBucket(create -> create.bucket("honest"));
      List<SlowClients.Client> idle = new ArrayList<>();
      while (idle.size() < connectionsMax - 1) {
        idle.add(slow.sender("G", 0));
      }

      while (!idle.stream().allMatch(SlowClients.Client::ended)) {
        slow.round();
        honest.putObject(put -> put.bucket("honest").key("k"), RequestBody.fromString("x"));
      }
      assertThat(honest.headObject(head -> head.bucket("honest").key("k")).contentLength())
          .isEqualTo(1);
    }
  }

  @Test
  void headThatKeepsArrivingIsNotIdle() throws IOException {
    String head = "GET /slow/none HTTP/1.1\r\nHost: test\r\nx-slow: ";
    try (GatewayFixture gateway =
            new GatewayFixture(limits(1 << 30, 500, 60_000), UnaryOperator.identity());
        RawConnection slow = new RawConnection(gateway.port())) {
      gateway.createPublicBucket("slow");
      slow.send(head);
      for (int count = 0; count < 3; count++) {
        try (SlowClients others = new SlowClients(gateway.port())) {
          SlowClients.Client idle = others.sender("GET", 3);
          while (!idle.ended()) {
            slow.send("x");
            assertThat(missing(gateway).status()).isEqualTo(404);
            others.round();
          }
        }
      }

      assertThat(slow.send("x\r\n\r\n").receive().status()).isEqualTo(404);
    }
  }

  private static OutgoingBody zeros(long length) {
    return new OutgoingBody.Stream(
        subscriber -> subscriber.onSubscribe(new EndlessBytes(subscriber)), length, () -> {});
  }

  private static void put(GatewayFixture gateway, String bucket, String key) {
    try (S3Client s3 = gateway.client(GatewayFixture.ALICE)) {
      s3.putObject(put -> put.bucket(bucket).key(key), RequestBody.fromString("x"));
    }
  }

  private static String uploadHead(GatewayFixture gateway, String key) {
    return new HandSigner("127.0.0.1:" + gateway.port())
        .sign("PUT", "/slow/" + key, WireFixture.UNSIGNED, Map.of())
        .with("Content-Length: " + BODY_BYTES + "\r\n");
  }

  /** Alice asks for an object that does not exist. */
  private static RawResponse missing(GatewayFixture gateway) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(
              new HandSigner("127.0.0.1:" + gateway.port())
                  .sign("GET", "/slow/none", WireFixture.UNSIGNED, Map.of())
                  .with(""))
          .receive();
    }
  }

  private static GatewayLimits limits(long heldBytesMax, long idleMsMax, long progressPeriodMs) {
    return limits(
        heldBytesMax, idleMsMax, progressPeriodMs, GatewayLimits.DEFAULT.connectionsMax());
  }

  private static GatewayLimits limits(
      long heldBytesMax, long idleMsMax, long progressPeriodMs, int connectionsMax) {
    GatewayLimits defaults = GatewayLimits.DEFAULT;
    return new GatewayLimits(
        defaults.initialLineBytesMax(),
        defaults.headerBytesMax(),
        defaults.bodyBytesMax(),
        defaults.documentBytesMax(),
        connectionsMax,
        heldBytesMax,
        defaults.deletesInFlightMax(),
        idleMsMax,
        progressPeriodMs,
        defaults.progressBytesMin(),
        defaults.stalledMsMax(),
        defaults.unreadBytesMax(),
        defaults.drainMsMax(),
        defaults.targetWaitMsMax());
  }

  private static double heldBytes(GatewayFixture gateway) {
    return gateway.metrics().get("tarn.s3.held").gauge().value();
  }

  private static double inFlight(GatewayFixture gateway) {
    return gateway.metrics().get("tarn.s3.requests.in.flight").gauge().value();
  }
}
