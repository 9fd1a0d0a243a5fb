package dev.tarn.gateway.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressingTest {
  private final Addressing addressing = new Addressing(List.of("s3.local", "eu.s3.local"));

  @ParameterizedTest
  @CsvSource({
    "/b/k, b, k",
    "/my.dotted.bucket/k, my.dotted.bucket, k",
    "/b//k, b, /k",
    "/b/a//b, b, a//b",
    "/b/a/../b, b, a/../b",
    "/b/./., b, ./.",
    "/b/dir/, b, dir/",
    "/b/a%2Fb, b, a/b",
    "/b/%252F, b, %2F",
    "/b/a+b, b, a+b",
    "/b/a%20b, b, a b",
    "/b/%C3%A9, b, é",
    "/b/*'()!~, b, *'()!~",
    "/b/%F0%90%80%80, b, 𐀀",
    "/b/k?x=/y, b, k",
  })
  void keyIsDecodedOnceAndNeverNormalised(String target, String bucket, String key) {
    assertThat(addressing.resolve(request(target, "localhost:9000")))
        .isEqualTo(new RequestTarget.OfObject(bucket, ObjectKey.of(key)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/b", "/b/", "/b?uploads", "/b/?list-type=2"})
  void bucketIsTheSameWithAndWithoutASlash(String target) {
    assertThat(addressing.resolve(request(target, "127.0.0.1")))
        .isEqualTo(new RequestTarget.OfBucket("b"));
  }

  @ParameterizedTest
  @CsvSource({
    "b.s3.local, b",
    "B.S3.Local:9000, b",
    "my.dotted.bucket.s3.local, my.dotted.bucket",
    "b.eu.s3.local, b",
  })
  void hostBelowADomainNamesTheBucket(String host, String bucket) {
    assertThat(addressing.resolve(request("/a/b", host)))
        .isEqualTo(new RequestTarget.OfObject(bucket, ObjectKey.of("a/b")));
    assertThat(addressing.resolve(request("/", host)))
        .isEqualTo(new RequestTarget.OfBucket(bucket));
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3.local", "eu.s3.local:80", "xs3.local", ".s3.local", "", "[::1]:9000"})
  void anyOtherHostIsPathStyle(String host) {
    assertThat(addressing.resolve(request("/b", host))).isEqualTo(new RequestTarget.OfBucket("b"));
    assertThat(addressing.resolve(request("/", host))).isEqualTo(new RequestTarget.Service());
  }

  @ParameterizedTest
  @CsvSource({
    "/b/%, INVALID_URI",
    "/b/%4, INVALID_URI",
    "/b/%zz, INVALID_URI",
    "/b/%C3, INVALID_URI",
    "/b/%ED%A0%80, INVALID_URI",
    "/b/k?a=%, INVALID_URI",
    "/b/k?%FF=1, INVALID_URI",
    "*, INVALID_URI",
    "b/k, INVALID_URI",
    "'', INVALID_URI",
    "//k, INVALID_BUCKET_NAME",
    "/b%2Fk, INVALID_BUCKET_NAME",
    "/b%2fc/k, INVALID_BUCKET_NAME",
  })
  void whatCannotBeReadIsRefused(String target, S3ErrorCode code) {
    S3Exception refusal =
        catchThrowableOfType(
            S3Exception.class, () -> addressing.resolve(request(target, "localhost")));
    assertThat(refusal.code()).isEqualTo(code);
  }

  @Test
  void keyHasAtMostAThousandAndTwentyFourBytes() {
    String key = "%C3%A9".repeat(512);
    assertThat(addressing.resolve(request("/b/" + key, "h")))
        .isEqualTo(new RequestTarget.OfObject("b", ObjectKey.of("é".repeat(512))));
    S3Exception refusal =
        catchThrowableOfType(
            S3Exception.class, () -> addressing.resolve(request("/b/" + key + "x", "h")));
    assertThat(refusal.code()).isEqualTo(S3ErrorCode.KEY_TOO_LONG);
  }

  @ParameterizedTest
  @CsvSource({
    "http://b.s3.local/k?x, b, k",
    "HTTPS://b.s3.local:9000/k, b, k",
    "http://h/c/k, c, k",
  })
  void absoluteFormStandsForItsHost(String target, String bucket, String key) {
    assertThat(addressing.resolve(request(target, "ignored.s3.local")))
        .isEqualTo(new RequestTarget.OfObject(bucket, ObjectKey.of(key)));
  }

  private static RequestHead request(String target, String host) {
    return RequestHead.parse("GET", target, Headers.of("Host", host), false, Instant.EPOCH);
  }
}
