package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** URLs that say more than a header can, and holders who add to what was signed. */
class MisusedUrlsTest {
  private static final String BUCKET = "misused";
  private static final String HELLO = "Content-Length: 5\r\n\r\nhello";
  private static final String HELLO_SHA256 =
      "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";

  private static GatewayFixture gateway;
  private static S3Client s3;
  private static HandSigner signer;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(r -> r.bucket(BUCKET));
    s3.putObject(r -> r.bucket(BUCKET).key("object"), RequestBody.fromString("content"));
    signer = new HandSigner(host());
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @Test
  void hashInAUrlHoldsWhateverHeaderIsAdded() throws IOException {
    String url =
        signer.presign(
            "PUT", "/misused/hashed", Map.of("X-Amz-Content-Sha256", HELLO_SHA256), Map.of());
    String added = "x-amz-content-sha256: UNSIGNED-PAYLOAD\r\n";

    RawResponse refused = send("PUT", url, added + "Content-Length: 5\r\n\r\nother");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>XAmzContentSHA256Mismatch</Code>");
    assertThat(send("PUT", url, added + HELLO).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-meta-color, 'a\r\nSet-Cookie: b'",
    "x-amz-meta-color, '\u0000'",
    "x-amz-meta-color, '\u007F'",
    "x-amz-website-redirect-location, '/\n'",
    "'x-amz-meta-a b', c",
    "'x-amz-meta-a:', c",
  })
  void parameterThatNoHeaderCanCarryIsNotStored(String name, String value) throws IOException {
    String url = signer.presign("PUT", "/misused/unreadable", Map.of(name, value), Map.of());

    RawResponse refused = send("PUT", url, HELLO);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidArgument</Code>");
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix("unreadable")).contents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD"})
  void overrideThatNoHeaderCanCarryIsRefused(String method) throws IOException {
    String url =
        signer.presign(
            method,
            "/misused/object",
            Map.of("response-content-disposition", "a\r\nSet-Cookie: b"),
            Map.of());

    assertThat(send(method, url, "\r\n").status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"&x-amz-meta-color=red", "&X-Amz-Meta-Color=red"})
  void parameterAddedToAUrlOfVersionTwoIsRefused(String added) throws IOException {
    String url =
        signer.presignVersion2("PUT", "/misused/added", Map.of("x-amz-meta-color", "blue"));

    assertThat(send("PUT", url + added, HELLO).status()).isEqualTo(403);
  }

  private static RawResponse send(String method, String target, String rest) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + rest)
          .receive(method.equals("HEAD"));
    }
  }

  private static String host() {
    return "127.0.0.1:" + gateway.port();
  }
}
