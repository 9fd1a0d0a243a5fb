package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;

/** What the holder of a URL can do with it, and nothing beside. */
class PresignedUrlsTest {
  private static final String BUCKET = "presigned";

  /** The CRC32 of "hello". */
  private static final String HELLO_CRC32 = "NhCmhg==";

  private static final String HELLO = "Content-Length: 5\r\n\r\nhello";

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
  void urlOfVersionTwoReadsAnObject() throws IOException {
    RawResponse read =
        send("GET", signer.presignVersion2("GET", "/presigned/object", Map.of()), "\r\n");

    assertThat(read.status()).isEqualTo(200);
    assertThat(read.body()).isEqualTo("content");
  }

  @Test
  void headersInAUrlOfVersionTwoActAsHeaders() throws IOException {
    Map<String, String> moved = new LinkedHashMap<>();
    moved.put("content-type", "text/plain");
    moved.put("x-amz-meta-color", "blue");
    String url = signer.presignVersion2("PUT", "/presigned/version2", moved);

    assertThat(send("PUT", url, HELLO).status()).isEqualTo(200);
    assertThat(head("version2").contentType()).isEqualTo("text/plain");
    assertThat(head("version2").metadata()).containsEntry("color", "blue");
  }

  @Test
  void headersInAUrlActAsHeaders() throws IOException {
    String url =
        signer.presign(
            "PUT",
            "/presigned/moved",
            Map.of(
                "x-amz-meta-color", "light blue",
                "x-amz-checksum-crc32", HELLO_CRC32,
                "x-amz-sdk-checksum-algorithm", "CRC32",
                "x-id", "PutObject"),
            Map.of());

    RawResponse stored = send("PUT", url, HELLO);

    assertThat(stored.status()).isEqualTo(200);
    assertThat(stored.header("x-amz-checksum-crc32")).isEqualTo(HELLO_CRC32);
    assertThat(head("moved").metadata()).containsEntry("color", "light blue");
  }

  @Test
  void checksumInAUrlIsVerified() throws IOException {
    String url =
        signer.presign(
            "PUT", "/presigned/wrong", Map.of("x-amz-checksum-crc32", "AAAAAA=="), Map.of());

    RawResponse refused = send("PUT", url, HELLO);

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>BadDigest</Code>");
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix("wrong")).contents()).isEmpty();
  }

  @Test
  void headerThatIsSentBeatsTheOneInTheUrl() throws IOException {
    String url =
        signer.presign(
            "PUT",
            "/presigned/both",
            Map.of("x-amz-meta-color", "blue"),
            Map.of("x-amz-meta-color", "red"));

    assertThat(send("PUT", url, "x-amz-meta-color: red\r\n" + HELLO).status()).isEqualTo(200);
    assertThat(head("both").metadata()).containsEntry("color", "red");
  }

  @Test
  void headerThatIsNotSignedIsRefused() throws IOException {
    String url = signer.presign("PUT", "/presigned/added", Map.of(), Map.of());

    RawResponse refused = send("PUT", url, "x-amz-meta-color: red\r\n" + HELLO);

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.body()).contains("<HeadersNotSigned>x-amz-meta-color</HeadersNotSigned>");
  }

  @Test
  void sourceInAUrlMakesACopy() throws IOException {
    String url =
        signer.presign(
            "PUT", "/presigned/copy", Map.of("x-amz-copy-source", "/presigned/object"), Map.of());

    RawResponse copied = send("PUT", url, "Content-Length: 0\r\n\r\n");

    assertThat(copied.status()).isEqualTo(200);
    assertThat(copied.body()).contains("<CopyObjectResult");
    assertThat(head("copy").contentLength()).isEqualTo(7);
  }

  @Test
  void urlOverridesTheHeadersOfTheAnswer() throws IOException {
    String url =
        signer.presign(
            "GET",
            "/presigned/object",
            Map.of(
                "response-content-type", "text/csv",
                "response-content-disposition", "attachment; filename=\"a b.csv\""),
            Map.of());

    RawResponse read = send("GET", url, "\r\n");

    assertThat(read.header("Content-Type")).isEqualTo("text/csv");
    assertThat(read.header("Content-Disposition")).isEqualTo("attachment; filename=\"a b.csv\"");
  }

  @ParameterizedTest
  @CsvSource({
    "cache-control, no-store",
    "content-disposition, attachment",
    "content-encoding, br",
    "content-language, de",
    "content-type, text/csv",
    "expires, 'Thu, 01 Jan 2099 00:00:00 GMT'",
  })
  void urlOverridesEachHeaderOfTheAnswerByItself(String name, String value) throws IOException {
    String url =
        signer.presign("GET", "/presigned/object", Map.of("response-" + name, value), Map.of());

    RawResponse read = send("GET", url, "\r\n");

    assertThat(read.status()).isEqualTo(200);
    assertThat(read.header(name)).isEqualTo(value);
    assertThat(read.body()).isEqualTo("content");
  }

  @Test
  void overridesAreForSignedRequestsAlone() throws IOException {
    gateway.createPublicBucket("open");
    s3.putObject(r -> r.bucket("open").key("k"), RequestBody.fromString("content"));

    RawResponse refused = send("GET", "/open/k?response-content-type=text/html", "\r\n");

    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>InvalidRequest</Code>");
  }

  @Test
  void parametersOfAnUnsignedRequestAreNoHeaders() throws IOException {
    RawResponse refused = send("PUT", "/presigned/x?x-amz-acl=private", HELLO);

    assertThat(refused.status()).isEqualTo(403);
  }

  private static HeadObjectResponse head(String key) {
    return s3.headObject(r -> r.bucket(BUCKET).key(key));
  }

  private static RawResponse send(String method, String target, String rest) throws IOException {
    try (RawConnection connection = new RawConnection(gateway.port())) {
      return connection
          .send(method + " " + target + " HTTP/1.1\r\nHost: " + host() + "\r\n" + rest)
          .receive();
    }
  }

  private static String host() {
    return "127.0.0.1:" + gateway.port();
  }
}
