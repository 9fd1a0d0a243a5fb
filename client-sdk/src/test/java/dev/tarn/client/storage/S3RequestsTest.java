package dev.tarn.client.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.regions.Region;

final class S3RequestsTest {
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
  private static final AwsCredentials KEYS =
      AwsBasicCredentials.create("AKIAIOSFODNN7EXAMPLE", SECRET);
  private static final String EMPTY_SHA256 =
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2013-05-24T00:00:00Z"), ZoneOffset.UTC);

  private static S3Requests requests(AwsCredentials keys, boolean anonymous) {
    return new S3Requests(
        Optional.of(URI.create("http://localhost:9000")),
        Region.US_EAST_1,
        StaticCredentialsProvider.create(keys),
        anonymous,
        CLOCK);
  }

  private static StorageUrl url(String key) {
    return new StorageUrl(StorageUrl.Scheme.S3, "bucket", key);
  }

  private static String header(SdkHttpRequest request, String name) {
    return request.firstMatchingHeader(name).orElseThrow();
  }

  /** The first example of "Signature Calculations for the Authorization Header" of Amazon S3. */
  @Test
  void publishedExampleHasItsSignature() {
    SdkHttpRequest example =
        SdkHttpRequest.builder()
            .method(SdkHttpMethod.GET)
            .uri(URI.create("https://examplebucket.s3.amazonaws.com/test.txt"))
            .putHeader("Range", "bytes=0-9")
            .build();

    SdkHttpRequest signed = requests(KEYS, false).signed(example, KEYS);

    assertThat(header(signed, "x-amz-date")).isEqualTo("20130524T000000Z");
    assertThat(header(signed, "x-amz-content-sha256")).isEqualTo(EMPTY_SHA256);
    assertThat(header(signed, "Authorization"))
        .isEqualTo(
            "AWS4-HMAC-SHA256"
                + " Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                + " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                + " Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
  }

  @ParameterizedTest
  @CsvSource({
    "a.tar, a.tar",
    "a b.tar, a%20b.tar",
    "a+b.tar, a%2Bb.tar",
    "a//b/../c, a//b/../c",
    "/a, /a",
    "a%20b, a%2520b",
    "a?b=c&d#e, a%3Fb%3Dc%26d%23e",
    "\u00e9\u4e2d\ud83d\ude00.tar, %C3%A9%E4%B8%AD%F0%9F%98%80.tar",
    "a~b*c(d)'e!, a~b%2Ac%28d%29%27e%21",
  })
  void keyIsEncodedOnceAndSignedAsItIsSent(String key, String encoded) throws Exception {
    for (SdkHttpMethod method : List.of(SdkHttpMethod.GET, SdkHttpMethod.HEAD)) {
      SdkHttpRequest request =
          requests(KEYS, false).make(method, url(key), Map.of("If-Match", "\"1\""));

      assertThat(request.encodedPath()).isEqualTo("/bucket/" + encoded);
      assertThat(request.port()).isEqualTo(9000);
      assertThat(header(request, "Authorization"))
          .contains("SignedHeaders=host;if-match;x-amz-content-sha256;x-amz-date,")
          .endsWith("Signature=" + signature(request));
    }
  }

  @Test
  void sessionTokenIsSentAndSigned() throws Exception {
    AwsCredentials session =
        AwsSessionCredentials.create("AKIAIOSFODNN7EXAMPLE", SECRET, "token/+=");

    SdkHttpRequest request =
        requests(session, false).make(SdkHttpMethod.GET, url("a.tar"), Map.of());

    assertThat(header(request, "x-amz-security-token")).isEqualTo("token/+=");
    assertThat(header(request, "Authorization"))
        .contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,")
        .endsWith("Signature=" + signature(request));
  }

  @Test
  void anonymousRequestIsNotSigned() throws Exception {
    SdkHttpRequest request =
        requests(KEYS, true).make(SdkHttpMethod.GET, url("a.tar"), Map.of("Range", "bytes=0-9"));

    assertThat(request.headers()).containsOnlyKeys("Range");
  }

  /** The signature of a request without a query and a body, as Amazon's documentation says. */
  private static String signature(SdkHttpRequest request) throws GeneralSecurityException {
    Map<String, String> headers = new TreeMap<>();
    request.forEachHeader(
        (name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.get(0)));
    headers.remove("authorization");
    headers.putIfAbsent("host", "localhost:9000");
    String canonical =
        "%s\n%s\n\n%s\n%s\n%s"
            .formatted(
                request.method(),
                request.encodedPath(),
                headers.entrySet().stream()
                    .map(header -> header.getKey() + ":" + header.getValue() + "\n")
                    .collect(Collectors.joining()),
                String.join(";", headers.keySet()),
                EMPTY_SHA256);
    String hash =
        HexFormat.of()
            .formatHex(MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(UTF_8)));
    byte[] key = ("AWS4" + SECRET).getBytes(UTF_8);
    for (String part : List.of("20130524", "us-east-1", "s3", "aws4_request")) {
      key = hmac(key, part);
    }
    String text = "AWS4-HMAC-SHA256\n20130524T000000Z\n20130524/us-east-1/s3/aws4_request\n" + hash;
    return HexFormat.of().formatHex(hmac(key, text));
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(UTF_8));
  }
}
