package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;

/** URLs of both versions that were signed for one thing do not authorise another. */
class TamperedUrlsTest {
  private static final String HELLO = "Content-Length: 5\r\n\r\nhello";

  @AutoClose private static WireFixture wire;

  @BeforeAll
  static void start() {
    GatewayFixture gateway = new GatewayFixture();
    wire = new WireFixture("wire", gateway);
    wire.store("other", "kept");
    wire.s3().createBucket(r -> r.bucket("private"));
    wire.s3().putObject(r -> r.bucket("private").key("read"), RequestBody.fromString("secret"));
  }

  @AfterEach
  void nothingWasWritten() {
    assertThat(wire.keys()).containsExactly("other");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "PUT /wire > DELETE /wire > SignatureDoesNotMatch",
        "PUT /wire > GET /wire > SignatureDoesNotMatch",
        "/wire/key? > /private/key? > SignatureDoesNotMatch",
        "/wire/key? > /wire/other? > SignatureDoesNotMatch",
        "/wire/key? > /wire/./key? > SignatureDoesNotMatch",
        "x-id=PutObject > x-id=GetObject > SignatureDoesNotMatch",
        "&x-id=PutObject > '' > SignatureDoesNotMatch",
        "&x-amz-meta-color=blue > '' > SignatureDoesNotMatch",
        "color=blue > color=red > SignatureDoesNotMatch",
        "color=blue > color=blue&x-amz-meta-color=red > SignatureDoesNotMatch",
        "color=blue > color=blue&x-amz-acl=private > SignatureDoesNotMatch",
        "color=blue > color=blue&x-amz-copy-source=%2Fwire%2Fother > SignatureDoesNotMatch",
        "color=blue > color=blue&tagging > SignatureDoesNotMatch",
        "color=blue > color=blue&uploadId=x&partNumber=1 > SignatureDoesNotMatch",
        "color=blue > color=blue&versionId=null > SignatureDoesNotMatch",
        "Expires=300 > Expires=604800 > SignatureDoesNotMatch",
        "Expires=300 > Expires=604801 > AuthorizationQueryParametersError",
        "Expires=300 > Expires=0 > AuthorizationQueryParametersError",
        "Expires=300 > Expires=-300 > AuthorizationQueryParametersError",
        "us-east-1 > eu-west-1 > SignatureDoesNotMatch",
        "%2Fs3%2Faws4 > %2Fec2%2Faws4 > AuthorizationQueryParametersError",
        "ALICEKEY > BOBKEY > SignatureDoesNotMatch",
        "ALICEKEY > NOBODY > InvalidAccessKeyId",
        "SignedHeaders=content-type%3Bhost > SignedHeaders=host > SignatureDoesNotMatch",
        "SignedHeaders=content-type%3Bhost > SignedHeaders=content-type > AccessDenied",
        "content-type: text/plain > content-type: text/html > SignatureDoesNotMatch",
        "content-type: text/plain| > '' > SignatureDoesNotMatch",
        "Host: 127.0.0.1 > Host: 127.0.0.2 > SignatureDoesNotMatch",
        "Content-Length > x-amz-acl: private|Content-Length > AccessDenied",
        "Content-Length > x-amz-copy-source: /wire/other|Content-Length > AccessDenied",
        "Content-Length > x-amz-tagging: a=b|Content-Length > AccessDenied",
        "Signature= > Signature=0 > SignatureDoesNotMatch",
        "X-Amz-Signature= > X-Amz-Signature=0&X-Amz-Signature= > AuthorizationQueryParametersError",
        "X-Amz-Algorithm=AWS4-HMAC-SHA256 > X-Amz-Algorithm=AWS4-HMAC-SHA1 >"
            + " AuthorizationQueryParametersError",
      })
  void urlOfVersionFourThatIsNotAsItWasSignedIsRefused(String part, String instead, String code)
      throws IOException {
    String url =
        wire.signer()
            .presign(
                "PUT",
                "/wire/key",
                Map.of("x-id", "PutObject", "x-amz-meta-color", "blue"),
                Map.of("content-type", "text/plain"));

    assertRefusedUnlessAsSigned(request(url), part, instead, code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '>',
      value = {
        "PUT /wire > DELETE /wire > SignatureDoesNotMatch",
        "PUT /wire > GET /wire > SignatureDoesNotMatch",
        "/wire/key? > /private/key? > SignatureDoesNotMatch",
        "/wire/key? > /wire/other? > SignatureDoesNotMatch",
        "/wire/key? > /wire/k%65y? > SignatureDoesNotMatch",
        "color=blue > color=red > SignatureDoesNotMatch",
        "&x-amz-meta-color=blue > '' > SignatureDoesNotMatch",
        "color=blue > color=blue&x-amz-meta-color=red > AccessDenied",
        "color=blue > color=blue&x-amz-acl=private > SignatureDoesNotMatch",
        "color=blue > color=blue&x-amz-copy-source=%2Fwire%2Fother > SignatureDoesNotMatch",
        "color=blue > color=blue&tagging > SignatureDoesNotMatch",
        "color=blue > color=blue&acl > SignatureDoesNotMatch",
        "color=blue > color=blue&uploadId=x&partNumber=1 > SignatureDoesNotMatch",
        "color=blue > color=blue&versionId=null > SignatureDoesNotMatch",
        "Expires=1 > Expires=2 > SignatureDoesNotMatch",
        "Expires=1 > Expires=0 > AccessDenied",
        "ALICEKEY > BOBKEY > SignatureDoesNotMatch",
        "ALICEKEY > NOBODY > InvalidAccessKeyId",
        "&Signature= > &Signature=0 > SignatureDoesNotMatch",
        "&Signature= > &Signature=0&Signature= > AccessDenied",
        "content-type: text/plain > content-type: text/html > SignatureDoesNotMatch",
        "content-type: text/plain| > '' > SignatureDoesNotMatch",
        "Content-Length > content-md5: XUFAKrxLKna5cZ2REBfFkg==|Content-Length >"
            + " SignatureDoesNotMatch",
        "Content-Length > x-amz-acl: private|Content-Length > SignatureDoesNotMatch",
        "Content-Length > x-amz-copy-source: /wire/other|Content-Length > SignatureDoesNotMatch",
        "Content-Length > x-amz-tagging: a=b|Content-Length > SignatureDoesNotMatch",
      })
  void urlOfVersionTwoThatIsNotAsItWasSignedIsRefused(String part, String instead, String code)
      throws IOException {
    String url =
        wire.signer()
            .presignVersion2(
                "PUT",
                "/wire/key",
                Map.of("content-type", "text/plain", "x-amz-meta-color", "blue"))
            .replace("&content-type=text%2Fplain", "");

    assertRefusedUnlessAsSigned(request(url), part, instead, code);
  }

  private static String request(String url) {
    return wire.request("PUT", url, "content-type: text/plain\r\n" + HELLO)
        .replaceFirst("\r\n$", "");
  }

  private static void assertRefusedUnlessAsSigned(
      String signed, String part, String instead, String code) throws IOException {
    String tampered =
        signed.replaceFirst(Pattern.quote(lines(part)), Matcher.quoteReplacement(lines(instead)));
    assertThat(tampered).isNotEqualTo(signed);

    assertThat(codeOf(tampered)).isEqualTo(code);
    assertThat(wire.keys()).containsExactly("other");
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(signed).receive().status()).isEqualTo(200);
    }
    wire.s3().deleteObject(r -> r.bucket("wire").key("key"));
  }

  /** What version 2 leaves unsigned must not make another operation of it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "attributes",
        "tagging",
        "acl",
        "uploads",
        "uploadId=x",
        "versionId=null",
        "partNumber=1",
        "response-content-type=text/html",
        "legal-hold",
        "retention"
      })
  void parameterThatMakesAnotherReadOfAUrlOfVersionTwoIsRefused(String added) throws IOException {
    String url = wire.signer().presignVersion2("GET", "/private/read", Map.of());

    assertThat(codeOf(wire.request("GET", url + "&" + added, "")))
        .isIn("SignatureDoesNotMatch", "NotImplemented", "AccessDenied");
    assertReads(url);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "encryption",
        "publicAccessBlock",
        "ownershipControls",
        "policy",
        "acl",
        "cors",
        "lifecycle",
        "location",
        "object-lock",
        "replication",
        "tagging",
        "uploads",
        "versions",
        "versioning",
        "website"
      })
  void parameterThatMakesAnotherQuestionOfAListingUrlOfVersionTwoIsRefused(String added)
      throws IOException {
    String url = wire.signer().presignVersion2("GET", "/private", Map.of());

    assertThat(codeOf(wire.request("GET", url + "&" + added, "")))
        .isIn("SignatureDoesNotMatch", "NotImplemented", "AccessDenied");
  }

  @ParameterizedTest
  @CsvSource({"300, -301", "300, -3600", "604800, -604801", "300, 960"})
  void urlOfVersionFourHoldsOnlyForItsTime(String expires, long secondsFromNow) throws IOException {
    Instant signed = Instant.now().plusSeconds(secondsFromNow);
    String url =
        new HandSigner(wire.host(), GatewayFixture.ALICE, signed)
            .presign("GET", "/private/read", Map.of("X-Amz-Expires", expires), Map.of());

    assertThat(codeOf(wire.request("GET", url, ""))).isEqualTo("AccessDenied");
  }

  @ParameterizedTest
  @CsvSource({"300, -290", "604800, -604700", "300, 840"})
  void urlOfVersionFourHoldsForAllItsTime(String expires, long secondsFromNow) throws IOException {
    Instant signed = Instant.now().plusSeconds(secondsFromNow);
    assertReads(
        new HandSigner(wire.host(), GatewayFixture.ALICE, signed)
            .presign("GET", "/private/read", Map.of("X-Amz-Expires", expires), Map.of()));
  }

  @ParameterizedTest
  @ValueSource(longs = {-302, -3600})
  void urlOfVersionTwoHoldsOnlyForItsTime(long secondsFromNow) throws IOException {
    Instant signed = Instant.now().plus(Duration.ofSeconds(secondsFromNow));
    String url =
        new HandSigner(wire.host(), GatewayFixture.ALICE, signed)
            .presignVersion2("GET", "/private/read", Map.of());

    assertThat(codeOf(wire.request("GET", url, ""))).isEqualTo("AccessDenied");
  }

  private static void assertReads(String url) throws IOException {
    try (RawConnection connection = wire.connect()) {
      assertThat(connection.send(wire.request("GET", url, "")).receive().body())
          .isEqualTo("secret");
    }
  }

  private static String codeOf(String request) throws IOException {
    try (RawConnection connection = wire.connect()) {
      RawResponse refused = connection.send(request).receive();
      assertThat(refused.status()).isIn(400, 403, 501);
      return refused.body().replaceFirst("(?s).*<Code>(\\w+)</Code>.*", "$1");
    }
  }

  private static String lines(String text) {
    return text.replace("|", "\r\n");
  }
}
