package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** What requests say of their bodies' digests. */
class DigestsTest {
  private static final String BUCKET = "digests";
  private static final String DELETE = "<Delete><Object><Key>kept</Key></Object></Delete>";

  private static GatewayFixture gateway;
  private static S3Client s3;
  private static HandSigner signer;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(r -> r.bucket(BUCKET));
    signer = new HandSigner("127.0.0.1:" + gateway.port());
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-checksum-crc32, AAAAAA==, BadDigest",
    "content-md5, AAAAAAAAAAAAAAAAAAAAAA==, BadDigest",
    "content-md5, AAAA, InvalidDigest",
    "x-amz-meta-none, at-all, InvalidRequest",
    "x-amz-sdk-checksum-algorithm, CRC32, InvalidRequest"
  })
  void keysAreDeletedOnlyByAListThatArrivedWhole(String name, String value, String code)
      throws IOException {
    s3.putObject(r -> r.bucket(BUCKET).key("kept"), RequestBody.fromString("content"));

    RawResponse refused = send("POST", "/digests?delete=", DELETE, Map.of(name, value));

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>" + code + "</Code>");
    assertThat(s3.headObject(r -> r.bucket(BUCKET).key("kept")).contentLength()).isEqualTo(7);
  }

  @Test
  void checksumServesInsteadOfAnMd5() throws IOException {
    s3.putObject(r -> r.bucket(BUCKET).key("gone"), RequestBody.fromString("content"));

    RawResponse deleted =
        send(
            "POST",
            "/digests?delete=",
            "<Delete><Object><Key>gone</Key></Object></Delete>",
            Map.of("x-amz-checksum-crc32", "hzgduA=="));

    assertThat(deleted.body()).contains("<Deleted><Key>gone</Key></Deleted>");
  }

  @ParameterizedTest
  @CsvSource({"CRC32, ''", "CRC32, x-amz-checksum-crc32c"})
  void algorithmWithoutItsValueIsRefused(String algorithm, String other) throws IOException {
    Map<String, String> headers =
        other.isEmpty()
            ? Map.of("x-amz-sdk-checksum-algorithm", algorithm)
            : Map.of("x-amz-sdk-checksum-algorithm", algorithm, other, "mnG7TA==");

    RawResponse refused = send("PUT", "/digests/refused", "hello", headers);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body())
        .contains("<Code>InvalidRequest</Code>", "x-amz-sdk-checksum-algorithm");
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix("refused")).contents()).isEmpty();
  }

  private static RawResponse send(
      String method, String target, String body, Map<String, String> headers) throws IOException {
    Signed request = signer.sign(method, target, HandSigner.sha256(body.getBytes(UTF_8)), headers);
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(request.with("Content-Length: " + body.length() + "\r\n"))
          .send(body)
          .receive();
    }
  }
}
