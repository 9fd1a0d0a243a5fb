package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.EncodingType;
import software.amazon.awssdk.services.s3.model.S3Object;

/** Paths that would lead elsewhere if they were paths: they are keys, or nothing. */
class PathTricksTest {
  private static GatewayFixture gateway;
  private static S3Client alice;
  private static S3Client bob;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    bob = gateway.client(GatewayFixture.BOB);
    alice.createBucket(r -> r.bucket("victim"));
    alice.putObject(r -> r.bucket("victim").key("secret"), RequestBody.fromString("secret"));
    bob.createBucket(r -> r.bucket("tricks"));
  }

  @AfterAll
  static void stop() {
    alice.close();
    bob.close();
    gateway.close();
  }

  @AfterEach
  void victimIsUntouched() {
    assertThat(alice.listObjectsV2(r -> r.bucket("victim")).contents())
        .singleElement()
        .satisfies(object -> assertThat(object.key()).isEqualTo("secret"));
    assertThat(alice.getObjectAsBytes(r -> r.bucket("victim").key("secret")).asUtf8String())
        .isEqualTo("secret");
    assertThat(alice.listBuckets().buckets()).hasSize(1);
    assertThat(bob.listBuckets().buckets()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "/tricks/../victim/secret, ../victim/secret",
    "/tricks/../../victim/secret, ../../victim/secret",
    "/tricks/a/../../victim/secret, a/../../victim/secret",
    "/tricks/./x, ./x",
    "/tricks/.., ..",
    "/tricks/., .",
    "/tricks/..., ...",
    "/tricks/%2e%2e/victim/secret, ../victim/secret",
    "/tricks/%2E%2E%2Fvictim%2Fsecret, ../victim/secret",
    "/tricks/..%2Fvictim%2Fsecret, ../victim/secret",
    "/tricks/%252e%252e/victim/secret, %2e%2e/victim/secret",
    "/tricks/..%5Cvictim%5Csecret, ..\\victim\\secret",
    "/tricks/..;/victim/secret, ..;/victim/secret",
    "/tricks//victim/secret, /victim/secret",
    "/tricks///etc/passwd, //etc/passwd",
    "/tricks/%2Fetc%2Fpasswd, /etc/passwd",
    "/tricks/C:%5Cx, C:\\x",
    "/tricks/a%00b, 'a\u0000b'",
    "/tricks/%00, '\u0000'",
    "/tricks/a%0D%0Ab, 'a\r\nb'",
    "/tricks/a%3Fversions, a?versions",
    "/tricks/a%23b, a#b",
    "/tricks/%7Ebob, ~bob",
    "/tricks/%E2%80%AE, '\u202E'",
    "/tricks/%EF%BC%8F, '\uFF0F'",
  })
  void trickIsAPlainKeyOfItsOwnBucket(String path, String key) throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse stored = connection.send(signed("PUT", path, 1)).send("x").receive();
      assertThat(stored.status()).as(stored.body()).isEqualTo(200);

      assertThat(connection.send(signed("GET", path, 0)).receive().body()).isEqualTo("x");
      assertThat(keysOfBob()).containsExactly(key);
      assertThat(connection.send(signed("DELETE", path, 0)).receive().status()).isEqualTo(204);
    }
    assertThat(keysOfBob()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/tricks/%C0%AF",
        "/tricks/%c0%ae%c0%ae/victim/secret",
        "/tricks/%C0%AE%C0%AE%C0%AFvictim",
        "/tricks/%E0%80%AF",
        "/tricks/%F0%80%80%AF",
        "/tricks/%C1%9C",
        "/tricks/%FF",
        "/tricks/%80",
        "/tricks/%C3",
        "/tricks/%ED%A0%80",
        "/tricks/%F4%90%80%80",
        "/tricks/\u00C0\u00AF",
        "/tricks/%",
        "/tricks/%2",
        "/tricks/%zz",
        "/tricks/%u002e",
        "/%C0%AF/secret",
      })
  void bytesThatAreNoTextAreRefused(String path) throws IOException {
    for (String method : new String[] {"PUT", "GET", "DELETE"}) {
      try (RawConnection connection = connect()) {
        RawResponse refused = connection.send(signed(method, path, 0)).receive();

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.body()).contains("<Code>InvalidURI</Code>");
      }
    }
    assertThat(keysOfBob()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "/../victim/secret, 404, NoSuchBucket",
    "/%2e%2e/victim/secret, 404, NoSuchBucket",
    "/./victim/secret, 404, NoSuchBucket",
    "/tricks%2F..%2Fvictim/secret, 400, InvalidBucketName",
    "/victim%2Fsecret, 400, InvalidBucketName",
    "/victim%00/secret, 404, NoSuchBucket",
    "/VICTIM/secret, 404, NoSuchBucket",
    "/victim./secret, 404, NoSuchBucket",
    "/%20victim/secret, 404, NoSuchBucket",
    "//victim/secret, 400, InvalidBucketName",
    "/victim/secret, 403, AccessDenied",
    "/victim/../victim/secret, 403, AccessDenied",
    "/victim/../tricks/x, 403, AccessDenied",
  })
  void bucketOfATrickIsThatOfItsFirstSegment(String path, int status, String code)
      throws IOException {
    for (String method : new String[] {"GET", "DELETE", "PUT"}) {
      try (RawConnection connection = connect()) {
        RawResponse refused = connection.send(signed(method, path, 0)).receive();

        assertThat(refused.body()).contains("<Code>" + code + "</Code>");
        assertThat(refused.status()).isEqualTo(status);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/..",
        "/.",
        "/%2e%2e",
        "/tricks%2F..",
        "/a%00b",
        "/victim%2Fx",
        "/%2F",
        "/tricks.-x",
        "/tricks-.x"
      })
  void trickIsNoNameForABucket(String path) throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(signed("PUT", path, 0)).receive();

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.body()).contains("<Code>InvalidBucketName</Code>");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/tricks/../victim/secret, 404, NoSuchKey",
    "tricks%2F..%2Fvictim%2Fsecret, 404, NoSuchKey",
    "/../victim/secret, 404, NoSuchBucket",
    "//victim/secret, 400, InvalidArgument",
    "/tricks/%C0%AF, 400, InvalidURI",
    "/victim/../tricks/x, 403, AccessDenied",
  })
  void sourceOfACopyIsNoPathEither(String source, int status, String code) throws IOException {
    Signed request =
        signer()
            .sign("PUT", "/tricks/copy", WireFixture.UNSIGNED, Map.of("x-amz-copy-source", source));
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(request.with("Content-Length: 0\r\n")).receive();

      assertThat(refused.body()).contains("<Code>" + code + "</Code>");
      assertThat(refused.status()).isEqualTo(status);
    }
  }

  /** No XML can hold some of them as they are. */
  private static List<String> keysOfBob() {
    return bob
        .listObjectsV2(r -> r.bucket("tricks").encodingType(EncodingType.URL))
        .contents()
        .stream()
        .map(S3Object::key)
        .toList();
  }

  private static String signed(String method, String path, int length) {
    return signer()
        .sign(method, path, WireFixture.UNSIGNED, Map.of())
        .with("Content-Length: " + length + "\r\n");
  }

  private static HandSigner signer() {
    return new HandSigner("127.0.0.1:" + gateway.port(), GatewayFixture.BOB, Instant.now());
  }

  private static RawConnection connect() throws IOException {
    return new RawConnection(gateway.port());
  }
}
