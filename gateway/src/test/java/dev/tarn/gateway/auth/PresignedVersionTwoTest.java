package dev.tarn.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.gateway.auth.Authentication.Authenticated;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** URLs that botocore 1.43.11 made, an hour before they expire. */
class PresignedVersionTwoTest {
  private static final Instant EXPIRES = Instant.ofEpochSecond(1369357200);
  private static final String KEY = "AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE";
  private static final String GET_ODD_KEY =
      "/b/a//b/../%C3%A9%20%2B%2A%27%28%29%21~%252F/"
          + "?response-content-type=text%2Fplain%3B%20charset%3Dutf-8&versionId=null&"
          + KEY
          + "&Signature=qBqWMV%2FrLQOvJhi%2FB%2BIRAXwFM%2BQ%3D&Expires=1369357200";
  private static final String PUT_WITH_METADATA =
      "/b/k?"
          + KEY
          + "&Signature=fe%2FZuwc1ry8rwiIyk4fnb2bRJxg%3D&x-amz-meta-who=me"
          + "&content-type=text%2Fplain&Expires=1369357200";

  private final Authenticator authenticator = ExampleRequests.authenticator();

  @ParameterizedTest
  @CsvSource({
    "GET,  " + GET_ODD_KEY,
    "PUT,  " + PUT_WITH_METADATA,
    "POST, /b/k?uploads&" + KEY + "&Signature=2OENrY8NNVj1xDLaR5i5SujCAnQ%3D&Expires=1369357200",
    "PUT,  /b/k?partNumber=2&uploadId=u%2F1&"
        + KEY
        + "&Signature=hlHPuFtNDlNQ1%2BZpIzb9zQ55hZ8%3D&Expires=1369357200",
    "GET,  /b?list-type=2&prefix=x%20y&encoding-type=url&"
        + KEY
        + "&Signature=uFVu53See%2FtiVRo4RGjrVZJPbIc%3D&Expires=1369357200",
  })
  void urlOfBotoIsAccepted(String method, String target) {
    assertThat(authenticator.authenticate(request(method, target, EXPIRES)))
        .isInstanceOf(Authenticated.class);
  }

  @Test
  void headersThatWereMovedIntoTheQueryMayBeSentAsHeadersToo() {
    Headers headers =
        Headers.of(
            "host", "tarn.example.org:9000", "content-type", "text/plain", "x-amz-meta-who", "me");
    RequestHead head = RequestHead.parse("PUT", PUT_WITH_METADATA, headers, false, EXPIRES);
    assertThat(authenticator.authenticate(head)).isInstanceOf(Authenticated.class);
  }

  @ParameterizedTest
  @CsvSource({
    "GET, me, you",
    "PUT, /b/k?, /b/j?",
    "PUT, =me, =you",
    "PUT, plain, html",
    "PUT, fe%, fE%"
  })
  void tamperedUrlIsRefused(String method, String part, String replacement) {
    assertThat(refusal(request(method, PUT_WITH_METADATA.replace(part, replacement), EXPIRES)))
        .isEqualTo(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%26versionId=null&", "%26versionId%3Dnull&"})
  void signedParameterThatIsFoldedIntoTheOneBeforeIsRefused(String folded) {
    String url = GET_ODD_KEY.replace("&versionId=null&", folded);
    assertThat(url).isNotEqualTo(GET_ODD_KEY);
    assertThat(refusal(request("GET", url, EXPIRES))).isEqualTo(S3ErrorCode.ACCESS_DENIED);
  }

  @Test
  void urlIsRefusedOnceItHasExpired() {
    assertThat(refusal(request("GET", GET_ODD_KEY, EXPIRES.plusMillis(1))))
        .isEqualTo(S3ErrorCode.ACCESS_DENIED);
  }

  @ParameterizedTest
  @CsvSource({
    "/b/k?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE, ACCESS_DENIED",
    "/b/k?Signature=x&Expires=1369357200, ACCESS_DENIED",
    "/b/k?AWSAccessKeyId=a&AWSAccessKeyId=b&Signature=x&Expires=1369357200, ACCESS_DENIED",
    "/b/k?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=x&Expires=soon, ACCESS_DENIED",
    "/b/k?AWSAccessKeyId=nobody&Signature=x&Expires=1369357200, INVALID_ACCESS_KEY_ID",
    "/b/k?AWSAccessKeyId=AKIAIOSFODNN7EXAMPLE&Signature=x&Expires=1369357200&content-type=a%0Ab,"
        + " ACCESS_DENIED",
  })
  void malformedUrlIsRefused(String target, S3ErrorCode code) {
    assertThat(refusal(request("GET", target, EXPIRES))).isEqualTo(code);
  }

  private S3ErrorCode refusal(RequestHead head) {
    return catchThrowableOfType(S3Exception.class, () -> authenticator.authenticate(head)).code();
  }

  private static RequestHead request(String method, String target, Instant arrival) {
    return RequestHead.parse(
        method, target, Headers.of("host", "tarn.example.org:9000"), false, arrival);
  }
}
