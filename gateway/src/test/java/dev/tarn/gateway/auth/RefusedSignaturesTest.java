package dev.tarn.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.cluster.control.AccessKey;
import dev.tarn.gateway.auth.Authentication.Anonymous;
import dev.tarn.gateway.auth.Authentication.Authenticated;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Addressing;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

class RefusedSignaturesTest {
  private final Authenticator authenticator = ExampleRequests.authenticator();
  private final SdkSigner signer = new SdkSigner();

  @Test
  void requestWithoutASignatureIsAnonymous() {
    RequestHead head = ExampleRequests.request("GET", "/b/k?prefix=x", "Host", "h");
    assertThat(authenticator.authenticate(head))
        .isEqualTo(new Anonymous(new PayloadPlan.Unsigned()));
  }

  @ParameterizedTest
  @CsvSource({"-900, true", "900, true", "-901, false", "901, false"})
  void clockMayBeFifteenMinutesOff(long seconds, boolean accepted) {
    RequestHead head = at(ExampleRequests.getObject(), ExampleRequests.SIGNED.plusSeconds(seconds));
    if (accepted) {
      assertThat(authenticator.authenticate(head)).isInstanceOf(Authenticated.class);
    } else {
      assertThat(refusal(head)).isEqualTo(S3ErrorCode.REQUEST_TIME_TOO_SKEWED);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'Basic abc', INVALID_REQUEST",
    "'AWS id:signature', INVALID_REQUEST",
    "'AWS4-HMAC-SHA256 ', AUTHORIZATION_HEADER_MALFORMED",
    "'AWS4-HMAC-SHA256 Credential=a/20130524/r/s3/aws4_request, Signature=x',"
        + " AUTHORIZATION_HEADER_MALFORMED",
    "'AWS4-HMAC-SHA256 Credential=a/20130524/r/s3/aws4_request, SignedHeaders=host, Signature=x',"
        + " INVALID_ACCESS_KEY_ID",
    "'AWS4-HMAC-SHA256 Credential=a/20130525/r/s3/aws4_request, SignedHeaders=host, Signature=x',"
        + " AUTHORIZATION_HEADER_MALFORMED",
    "'AWS4-HMAC-SHA256 Credential=a/20130524/r/ec2/aws4_request, SignedHeaders=host, Signature=x',"
        + " AUTHORIZATION_HEADER_MALFORMED",
    "'AWS4-HMAC-SHA256 Credential=aws4_request, SignedHeaders=host, Signature=x',"
        + " AUTHORIZATION_HEADER_MALFORMED",
  })
  void authorizationHeaderIsRefusedByWhatIsWrongWithIt(String value, S3ErrorCode code) {
    assertThat(refusal(withHeader(ExampleRequests.getObject(), "authorization", value)))
        .isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-date, yesterday, ACCESS_DENIED",
    "x-amz-date, '', ACCESS_DENIED",
    "x-amz-date, 20131324T000000Z, ACCESS_DENIED",
    "x-amz-content-sha256, abc, SIGNATURE_DOES_NOT_MATCH",
    "host, elsewhere, SIGNATURE_DOES_NOT_MATCH",
    "range, bytes=0-8, SIGNATURE_DOES_NOT_MATCH",
    "x-amz-copy-source, /other/secret, ACCESS_DENIED",
  })
  void headerThatIsNotAsItWasSignedIsRefused(String name, String value, S3ErrorCode code) {
    assertThat(refusal(withHeader(ExampleRequests.getObject(), name, value))).isEqualTo(code);
  }

  @Test
  void dateHeaderServesWhereThereIsNoOther() {
    RequestHead head = withHeader(ExampleRequests.getObject(), "date", "not looked at");
    assertThat(authenticator.authenticate(head)).isInstanceOf(Authenticated.class);
  }

  @Test
  void signatureThatLeavesOutTheHostIsRefused() {
    String authorization = ExampleRequests.authorization("x-amz-date", "00");
    S3Exception refusal =
        catchThrowableOfType(
            S3Exception.class,
            () ->
                authenticator.authenticate(
                    withHeader(ExampleRequests.getObject(), "authorization", authorization)));
    assertThat(refusal.error().fields()).containsEntry("HeadersNotSigned", "host");
  }

  @Test
  void listThatWouldSignAHeaderAgainAndAgainIsRefused() {
    String names = "host;range;x-amz-content-sha256;x-amz-date";
    RequestHead head = ExampleRequests.getObject();
    for (String repeating : List.of(names + ";range", "range;" + names, names + ";x".repeat(400))) {
      String authorization = ExampleRequests.authorization(repeating, "00");
      assertThat(refusal(withHeader(head, "authorization", authorization)))
          .isEqualTo(S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED);
    }
    String many =
        IntStream.range(0, 300).mapToObj(i -> ";x" + i).collect(Collectors.joining("", names, ""));
    assertThat(
            refusal(withHeader(head, "authorization", ExampleRequests.authorization(many, "00"))))
        .isEqualTo(S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED);
  }

  @ParameterizedTest
  @CsvSource({
    "X-Amz-Expires=3600, X-Amz-Expires=0, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "X-Amz-Expires=3600, X-Amz-Expires=604801, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "X-Amz-Expires=3600, X-Amz-Expires=-1, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "X-Amz-Expires=3600, X-Amz-Expires=day, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "X-Amz-Expires=3600, X-Amz-Other=3600, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "X-Amz-Expires=3600, X-Amz-Expires=3600&X-Amz-Expires=9, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "X-Amz-Expires=3600, X-Amz-Expires=3601, SIGNATURE_DOES_NOT_MATCH",
    "X-Amz-SignedHeaders=host, X-Amz-SignedHeaders=range, ACCESS_DENIED",
    "AWS4-HMAC-SHA256, AWS4-HMAC-SHA512, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "AKIAIOSFODNN7EXAMPLE, nobody, INVALID_ACCESS_KEY_ID",
    "20130524T000000Z, 20130524T000000, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
    "20130524T000000Z, 20130525T000000Z, AUTHORIZATION_QUERY_PARAMETERS_ERROR",
  })
  void presignedUrlIsRefusedByWhatIsWrongWithIt(String part, String instead, S3ErrorCode code) {
    RequestHead head = presigned(Duration.ofHours(1));
    String query = head.query().raw();
    assertThat(query).contains(part);
    assertThat(
            refusal(
                RequestHead.parse(
                    head.method(),
                    head.rawPath() + "?" + query.replace(part, instead),
                    head.headers(),
                    false,
                    head.arrival())))
        .isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 3600, 604_800})
  void presignedUrlHoldsUntilItExpires(long seconds) {
    RequestHead head = presigned(Duration.ofSeconds(seconds));
    Instant expires = ExampleRequests.SIGNED.plusSeconds(seconds);
    assertThat(authenticator.authenticate(at(head, expires.minusMillis(1))))
        .isInstanceOf(Authenticated.class);
    assertThat(refusal(at(head, expires))).isEqualTo(S3ErrorCode.ACCESS_DENIED);
    assertThat(refusal(at(head, ExampleRequests.SIGNED.minusSeconds(901))))
        .isEqualTo(S3ErrorCode.ACCESS_DENIED);
  }

  @Test
  void holderOfAPresignedUrlCannotMakeACopyOfIt() {
    RequestHead head = withHeader(presigned(Duration.ofHours(1)), "x-amz-copy-source", "/b/other");
    assertThat(refusal(head)).isEqualTo(S3ErrorCode.ACCESS_DENIED);
  }

  @Test
  void signedContentHashOfAPresignedUrlIsEnforced() {
    RequestHead head =
        ExampleRequests.request(
            "PUT",
            "/b/k?X-Amz-Algorithm=AWS4-HMAC-SHA256"
                + "&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request"
                + "&X-Amz-Date=20130524T000000Z&X-Amz-Expires=60"
                + "&X-Amz-SignedHeaders=host%3Bx-amz-content-sha256&X-Amz-Signature="
                + "132d5e51c4d2ba4830f942c3c3abaf7b40374869165468881d883a3630a1bdc0",
            "Host",
            "h",
            "x-amz-content-sha256",
            ExampleRequests.EMPTY_SHA256);
    assertThat(authenticator.authenticate(head).payload())
        .isEqualTo(new PayloadPlan.Sha256(ExampleRequests.EMPTY_SHA256));
    assertThat(refusal(withHeader(head, "x-amz-content-sha256", "UNSIGNED-PAYLOAD")))
        .isEqualTo(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
  }

  @Test
  void twoMechanismsAtOnceAreRefused() {
    RequestHead head =
        withHeader(presigned(Duration.ofHours(1)), "authorization", "AWS4-HMAC-SHA256 x");
    assertThat(refusal(head)).isEqualTo(S3ErrorCode.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @CsvSource({
    "STREAMING-AWS4-HMAC-SHA256-PAYLOAD, INVALID_REQUEST",
    "STREAMING-AWS4-ECDSA-P256-SHA256-PAYLOAD, NOT_IMPLEMENTED",
    "abc, INVALID_ARGUMENT",
  })
  void contentHashThatCannotBeMetIsRefused(String value, S3ErrorCode code) {
    assertThat(
            refusal(
                ExampleRequests.request("PUT", "/b/k", "Host", "h", "x-amz-content-sha256", value)))
        .isEqualTo(code);
  }

  @Test
  void keyPairThatIsGoneIsNotBelievedAgain() {
    CredentialSource other =
        id -> new Credential(new AccessKey(id, "another secret", "u-1", 0), ExampleRequests.USER);
    CredentialSource[] newest = {id -> new Credential(ExampleRequests.KEY, ExampleRequests.USER)};
    Authenticator changing =
        new SignatureAuthenticator(id -> newest[0].find(id), Addressing.PATH_STYLE);
    assertThat(changing.authenticate(ExampleRequests.getObject()))
        .isInstanceOf(Authenticated.class);
    newest[0] = other;
    assertThat(
            catchThrowableOfType(
                    S3Exception.class, () -> changing.authenticate(ExampleRequests.getObject()))
                .code())
        .isEqualTo(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
  }

  private RequestHead presigned(Duration expires) {
    SdkHttpRequest request =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.PUT)
            .uri(URI.create("http://tarn.example.org/b/k"))
            .build();
    return signer.presign(request, "any", expires).head();
  }

  private S3ErrorCode refusal(RequestHead head) {
    return catchThrowableOfType(S3Exception.class, () -> authenticator.authenticate(head)).code();
  }

  private static RequestHead withHeader(RequestHead head, String name, String value) {
    return with(head, head.headers().with(name, value), head.arrival());
  }

  private static RequestHead at(RequestHead head, Instant arrival) {
    return with(head, head.headers(), arrival);
  }

  private static RequestHead with(RequestHead head, Headers headers, Instant arrival) {
    return new RequestHead(
        head.method(), head.rawPath(), head.query(), headers, head.secure(), arrival);
  }
}
