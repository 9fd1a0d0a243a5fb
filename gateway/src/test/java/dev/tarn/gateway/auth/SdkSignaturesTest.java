package dev.tarn.gateway.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.gateway.auth.Authentication.Authenticated;
import dev.tarn.gateway.auth.Authentication.Scheme;
import dev.tarn.gateway.auth.SdkSigner.Wire;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.request.Headers;
import dev.tarn.gateway.request.RequestHead;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the SDK signs is accepted, and nothing else is. */
class SdkSignaturesTest {
  private static final int ROUNDS = 100;
  private static final Set<String> NOT_SIGNED = Set.of("authorization", "expect");

  private final Authenticator authenticator = ExampleRequests.authenticator();
  private final SdkSigner signer = new SdkSigner();

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void everyOddRequestSignedInItsHeaderIsAccepted(long seed) {
    OddRequests requests = new OddRequests(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Wire wire = signer.signHeader(requests.next(), requests.body(100), requests.region());
      Authenticated authenticated = (Authenticated) authenticator.authenticate(wire.head());
      assertThat(authenticated.scheme()).isEqualTo(Scheme.V4_HEADER);
      assertThat(authenticated.payload()).isInstanceOf(PayloadPlan.Sha256.class);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {4, 5, 6})
  void everyOddRequestSignedInItsQueryIsAccepted(long seed) {
    OddRequests requests = new OddRequests(seed);
    for (int round = 0; round < ROUNDS; round++) {
      Wire wire = signer.presign(requests.next(), requests.region(), Duration.ofHours(1));
      Authenticated authenticated = (Authenticated) authenticator.authenticate(wire.head());
      assertThat(authenticated.scheme()).isEqualTo(Scheme.V4_QUERY);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {7, 8})
  void flippedBitAnywhereInASignedRequestIsRefused(long seed) {
    OddRequests requests = new OddRequests(seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      boolean inHeader = random.nextBoolean();
      RequestHead head =
          inHeader
              ? signer.signHeader(requests.next(), new byte[0], "any").head()
              : signer.presign(requests.next(), "any", Duration.ofHours(1)).head();
      RequestHead tampered = tamper(head, random);
      S3Exception refusal =
          catchThrowableOfType(S3Exception.class, () -> authenticator.authenticate(tampered));
      assertThat(refusal).as("%s instead of %s", tampered, head).isNotNull();
      assertThat(refusal.code().httpStatus()).isIn(400, 403);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 31, 32, 63})
  void flippedBitInTheSignatureIsRefusedWithTheStringToSign(int digit) {
    RequestHead head = ExampleRequests.getObject();
    String authorization = head.headers().find("authorization").orElseThrow();
    int index = authorization.length() - 64 + digit;
    char flipped =
        HexFormat.of().toLowHexDigit(HexFormat.fromHexDigit(authorization.charAt(index)) ^ 1);
    RequestHead tampered =
        with(
            head,
            head.headers()
                .with(
                    "authorization",
                    authorization.substring(0, index)
                        + flipped
                        + authorization.substring(index + 1)));
    S3Exception refusal =
        catchThrowableOfType(S3Exception.class, () -> authenticator.authenticate(tampered));
    assertThat(refusal.code()).isEqualTo(S3ErrorCode.SIGNATURE_DOES_NOT_MATCH);
    assertThat(refusal.error().fields())
        .containsEntry("AWSAccessKeyId", ExampleRequests.KEY.id())
        .containsEntry(
            "StringToSign",
            "AWS4-HMAC-SHA256\n20130524T000000Z\n20130524/us-east-1/s3/aws4_request\n"
                + "7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972");
  }

  /** Another method, path, parameter or signed header. */
  private static RequestHead tamper(RequestHead head, Random random) {
    String method = head.method();
    String path = head.rawPath();
    String query = head.query().raw();
    return switch (random.nextInt(4)) {
      case 0 -> parse(method.equals("PUT") ? "GET" : "PUT", path, query, head.headers());
      case 1 -> parse(method, path + "x", query, head.headers());
      case 2 -> parse(method, path, query.isEmpty() ? "acl" : query + "&acl", head.headers());
      default -> {
        int index = random.nextInt(head.headers().size());
        while (NOT_SIGNED.contains(head.headers().nameAt(index))) {
          index = (index + 1) % head.headers().size();
        }
        String name = head.headers().nameAt(index);
        yield with(head, head.headers().with(name, head.headers().valueAt(index) + "x"));
      }
    };
  }

  private static RequestHead parse(String method, String path, String query, Headers headers) {
    String target = query.isEmpty() ? path : path + "?" + query;
    return RequestHead.parse(method, target, headers, true, ExampleRequests.SIGNED);
  }

  private static RequestHead with(RequestHead head, Headers headers) {
    return parse(head.method(), head.rawPath(), head.query().raw(), headers);
  }
}
