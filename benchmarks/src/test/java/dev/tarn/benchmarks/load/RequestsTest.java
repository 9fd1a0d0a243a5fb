package dev.tarn.benchmarks.load;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.benchmarks.server.Credentials;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestsTest {
  private final Requests requests =
      new Requests(
          "examplebucket.s3.amazonaws.com",
          Optional.of(
              new Credentials("AKIAIOSFODNN7EXAMPLE", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")),
          Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC));

  /** The example of a list in the documentation of AWS S3. */
  @Test
  void publishedExampleGetsThePublishedSignature() {
    PreparedRequest list = requests.get("/", "max-keys=2&prefix=J", Expectation.status(200));

    assertThat(US_ASCII.decode(list.head().duplicate()).toString())
        .startsWith("GET /?max-keys=2&prefix=J HTTP/1.1\r\n")
        .contains(
            "Authorization: AWS4-HMAC-SHA256 "
                + "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
                + "SignedHeaders=host;x-amz-content-sha256;x-amz-date, "
                + "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7\r\n");
  }

  @Test
  void unsignedPayloadIsAnnouncedAndTheSchemeIsNotSent() {
    PreparedRequest put =
        requests.put(
            "/key", ByteBuffer.wrap(new byte[3]), PayloadHash.UNSIGNED, Expectation.status(200));

    assertThat(US_ASCII.decode(put.head().duplicate()).toString())
        .startsWith("PUT /key HTTP/1.1\r\n")
        .contains("x-amz-content-sha256: UNSIGNED-PAYLOAD\r\n")
        .contains("Host: examplebucket.s3.amazonaws.com\r\n")
        .contains("content-length: 3\r\n");
  }

  @Test
  void signedBodyIsAnnouncedByItsSha256() throws NoSuchAlgorithmException {
    byte[] body = {1, 2, 3};
    PreparedRequest put =
        requests.put("/key", ByteBuffer.wrap(body), PayloadHash.SIGNED, Expectation.status(200));

    String sha256 = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body));
    assertThat(US_ASCII.decode(put.head().duplicate()).toString())
        .contains("x-amz-content-sha256: " + sha256 + "\r\n")
        .contains("content-length: 3\r\n");
    assertThat(put.body()).isEqualTo(ByteBuffer.wrap(body));
  }

  @Test
  void secretIsNotPrinted() {
    assertThat(new Credentials("access", "hidden").toString()).doesNotContain("hidden");
  }
}
