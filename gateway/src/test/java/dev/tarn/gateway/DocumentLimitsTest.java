package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.http.GatewayLimits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Documents of all requests together are bounded, and none is obeyed in part. */
class DocumentLimitsTest {
  @Test
  void documentBeyondWhatFitsInMemoryIsToldToSlowDown() throws IOException {
    GatewayLimits limits = smallDocuments();
    List<RawConnection> waiting = new ArrayList<>();
    try (GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity())) {
      gateway.createPublicBucket("documents");
      String head =
          delete(gateway, "x".repeat(1024), "Expect: 100-continue\r\nContent-Length: 1024\r\n");
      for (int count = 0; count < 4; count++) {
        RawConnection connection = new RawConnection(gateway.port());
        waiting.add(connection);
        assertThat(connection.send(head).receive().status()).isEqualTo(100);
      }
      try (RawConnection surplus = new RawConnection(gateway.port())) {
        RawResponse refused = surplus.send(head).receive();

        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.body()).contains("<Code>SlowDown</Code>");
      }
      assertThat(waiting.getFirst().send("x".repeat(1024)).receive().body())
          .contains("MalformedXML");
      try (RawConnection next = new RawConnection(gateway.port())) {
        assertThat(next.send(head).receive().status()).isEqualTo(100);
      }
      for (RawConnection connection : waiting) {
        connection.close();
      }
    }
  }

  private static GatewayLimits smallDocuments() {
    GatewayLimits defaults = GatewayLimits.DEFAULT;
    return new GatewayLimits(
        defaults.initialLineBytesMax(),
        defaults.headerBytesMax(),
        defaults.bodyBytesMax(),
        1024,
        defaults.connectionsMax(),
        defaults.heldBytesMax(),
        defaults.deletesInFlightMax(),
        defaults.idleMsMax(),
        defaults.progressPeriodMs(),
        defaults.progressBytesMin(),
        defaults.stalledMsMax(),
        defaults.unreadBytesMax(),
        defaults.drainMsMax(),
        defaults.targetWaitMsMax());
  }

  @Test
  void bodiesOfListingsTakeNoRoomFromDocuments() throws IOException {
    List<RawConnection> strangers = new ArrayList<>();
    try (GatewayFixture gateway = new GatewayFixture(smallDocuments(), UnaryOperator.identity())) {
      gateway.createPublicBucket("documents");
      for (int count = 0; count < 4; count++) {
        RawConnection stranger = new RawConnection(gateway.port());
        strangers.add(stranger);
        stranger
            .send(
                String.join(
                    "\r\n",
                    "GET /documents HTTP/1.1",
                    "Host: x",
                    "Expect: 100-continue",
                    "Content-Length: 1024",
                    "",
                    ""))
            .receive();
      }
      try (RawConnection owner = new RawConnection(gateway.port())) {
        String head =
            delete(gateway, "x".repeat(1024), "Expect: 100-continue\r\nContent-Length: 1024\r\n");

        assertThat(owner.send(head).receive().status()).isEqualTo(100);
      }
      for (RawConnection stranger : strangers) {
        stranger.close();
      }
    }
  }

  @Test
  void malformedDocumentDeletesNothing() throws IOException {
    String document =
        "<Delete><Object><Key>a</Key></Object><Object><VersionId>v</VersionId></Object></Delete>";
    GatewayLimits limits = GatewayLimits.DEFAULT;
    try (GatewayFixture gateway = new GatewayFixture(limits, UnaryOperator.identity());
        S3Client s3 = gateway.client(GatewayFixture.ALICE);
        RawConnection connection = new RawConnection(gateway.port())) {
      s3.createBucket(r -> r.bucket("documents"));
      s3.putObject(r -> r.bucket("documents").key("a"), RequestBody.fromString("x"));
      String head = delete(gateway, document, "Content-Length: " + document.length() + "\r\n");

      RawResponse refused = connection.send(head + document).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("MalformedXML");
      assertThat(s3.listObjectsV2(r -> r.bucket("documents")).contents()).hasSize(1);
    }
  }

  /** A request's head, signed and with a digest. */
  private static String delete(GatewayFixture gateway, String document, String headers) {
    return new HandSigner("127.0.0.1:" + gateway.port())
        .sign(
            "POST",
            "/documents?delete=",
            HandSigner.sha256(document.getBytes(UTF_8)),
            Map.of("x-amz-checksum-sha256", sha256Base64(document)))
        .with(headers);
  }

  private static String sha256Base64(String document) {
    byte[] digest = HexFormat.of().parseHex(HandSigner.sha256(document.getBytes(UTF_8)));
    return Base64.getEncoder().encodeToString(digest);
  }
}
