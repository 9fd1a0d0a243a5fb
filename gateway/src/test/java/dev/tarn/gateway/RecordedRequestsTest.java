package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** What metrics and the access log tell after a few requests. */
class RecordedRequestsTest {
  private final Path log;
  private final GatewayFixture gateway;
  private String presigned = "";

  RecordedRequestsTest(@TempDir Path folder) {
    log = folder.resolve("access.log");
    gateway = new GatewayFixture(GatewayFixture.logging(log), UnaryOperator.identity());
  }

  @BeforeEach
  void sendAFewAndStop() throws IOException {
    HandSigner signer = new HandSigner("127.0.0.1:" + gateway.port());
    presigned = signer.presign("GET", "/recorded/a%22b", Map.of(), Map.of());
    String version2 = signer.presignVersion2("GET", "/recorded/a%22b", Map.of());
    try (S3Client s3 = gateway.client(GatewayFixture.ALICE);
        RawConnection connection = new RawConnection(gateway.port())) {
      s3.createBucket(r -> r.bucket("recorded"));
      s3.putObject(r -> r.bucket("recorded").key("a\"b"), RequestBody.fromBytes(new byte[10_000]));
      assertThat(connection.send(get(presigned)).receive().status()).isEqualTo(200);
      assertThat(connection.send(get(version2)).receive().status()).isEqualTo(200);
      assertThat(connection.send(get("/recorded/a%22b")).receive().status()).isEqualTo(403);
      assertThat(gateway.metrics().get("tarn.s3.connections.open").gauge().value())
          .isGreaterThanOrEqualTo(1);
    }
    gateway.close();
  }

  private String get(String target) {
    return "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + gateway.port() + "\r\n\r\n";
  }

  @Test
  void requestsAreCountedByOperationStatusAndSize() {
    assertThat(requests("CreateBucket", "200", "0").count()).isEqualTo(1);
    assertThat(requests("PutObject", "200", "128KiB").count()).isEqualTo(1);
    assertThat(requests("GetObject", "200", "128KiB").count()).isEqualTo(2);
    assertThat(requests("GetObject", "403", "8KiB").count()).isEqualTo(1);
    assertThat(requests("GetObject", "200", "128KiB").takeSnapshot().histogramCounts())
        .isNotEmpty();
    MeterRegistry metrics = gateway.metrics();
    assertThat(metrics.get("tarn.s3.received").counter().count()).isGreaterThanOrEqualTo(10_000);
    assertThat(metrics.get("tarn.s3.sent").counter().count()).isBetween(20_000.0, 22_000.0);
    assertThat(metrics.get("tarn.s3.requests.in.flight").gauge().value()).isZero();
  }

  private Timer requests(String operation, String status, String size) {
    return gateway
        .metrics()
        .get("tarn.s3.requests")
        .tags("operation", operation, "status", status, "size", size)
        .timer();
  }

  @Test
  void everyRequestIsALineWithoutItsSignature() throws IOException {
    List<String> lines = Files.readAllLines(log);

    assertThat(lines).hasSize(5).allMatch(line -> line.startsWith("{") && line.endsWith("}"));
    assertThat(of(lines, "PutObject"))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("\"key\":\"a\\\"b\"", "\"status\":200", "\"whole\":true")
        .contains("\"access_key_id\":\"" + GatewayFixture.ALICE + "\"");
    List<String> reads = of(lines, "GetObject");
    assertThat(reads.get(0)).contains("X-Amz-Signature=REDACTED", "\"bytes_out\":10000");
    assertThat(reads.get(1)).contains("&Signature=REDACTED&");
    assertThat(reads.get(2)).contains("\"status\":403", "\"error\":\"AccessDenied\"");
    String signature = presigned.substring(presigned.lastIndexOf('=') + 1);
    assertThat(Files.readString(log)).doesNotContain(signature, GatewayFixture.ALICE + "-secret");
  }

  /** The lines of an operation; those of different connections may come in any order. */
  private static List<String> of(List<String> lines, String operation) {
    return lines.stream().filter(line -> line.contains('"' + operation + '"')).toList();
  }
}
