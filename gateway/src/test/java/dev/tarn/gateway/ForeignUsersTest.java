package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.HandSigner.Signed;
import dev.tarn.gateway.RawConnection.RawResponse;
import dev.tarn.gateway.s3.operation.S3Operation;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;

/** Whoever has a key pair is a stranger to the buckets of others. */
class ForeignUsersTest {
  private static final String SECRET = "secret of alice";

  private static GatewayFixture gateway;
  private static S3Client alice;
  private static S3Client bob;
  private static String uploadId;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    bob = gateway.client(GatewayFixture.BOB);
    alice.createBucket(r -> r.bucket("alices"));
    bob.createBucket(r -> r.bucket("bobs"));
    alice.putObject(
        r -> r.bucket("alices").key("key").tagging("a=b"), RequestBody.fromString(SECRET));
    bob.putObject(r -> r.bucket("bobs").key("own"), RequestBody.fromString("bob's"));
    uploadId = alice.createMultipartUpload(r -> r.bucket("alices").key("key")).uploadId();
    alice.uploadPart(
        r -> r.bucket("alices").key("key").uploadId(uploadId).partNumber(1),
        RequestBody.fromString("part"));
  }

  @AfterAll
  static void stop() {
    alice.close();
    bob.close();
    gateway.close();
  }

  @AfterEach
  void nothingOfAlicesHasChanged() {
    assertThat(alice.getObjectAsBytes(r -> r.bucket("alices").key("key")).asUtf8String())
        .isEqualTo(SECRET);
    assertThat(alice.getObjectTagging(r -> r.bucket("alices").key("key")).tagSet()).hasSize(1);
    assertThat(alice.listObjectsV2(r -> r.bucket("alices")).contents()).hasSize(1);
    assertThat(alice.listMultipartUploads(r -> r.bucket("alices")).uploads()).hasSize(1);
    assertThat(alice.listParts(r -> r.bucket("alices").key("key").uploadId(uploadId)).parts())
        .hasSize(1);
    assertThat(bob.listObjectsV2(r -> r.bucket("bobs")).contents()).hasSize(1);
  }

  static List<S3Operation> operationsOnABucketThatIsThere() {
    return Arrays.stream(S3Operation.values())
        .filter(operation -> operation.level() != S3Operation.Level.SERVICE)
        .filter(operation -> operation != S3Operation.CREATE_BUCKET)
        // A form is judged by what it says of itself: see FormUploadsTest.
        .filter(operation -> operation != S3Operation.POST_OBJECT)
        .filter(operation -> !operation.isPreflight())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("operationsOnABucketThatIsThere")
  void noOperationOnABucketOfAnotherIsAllowed(S3Operation operation) throws IOException {
    boolean copies = operation.subresource().startsWith("copy");
    Signed request =
        signer()
            .sign(
                operation.method(),
                target(operation),
                WireFixture.UNSIGNED,
                copies ? Map.of("x-amz-copy-source", "/bobs/own") : Map.of());

    assertDenied(operation, request.with("Content-Length: 0\r\n"));
  }

  @ParameterizedTest
  @MethodSource("operationsOnABucketThatIsThere")
  void noOperationOnAPrivateBucketIsAllowedToStrangers(S3Operation operation) throws IOException {
    boolean copies = operation.subresource().startsWith("copy");
    String request =
        operation.method()
            + " "
            + target(operation)
            + " HTTP/1.1\r\nHost: "
            + host()
            + (copies ? "\r\nx-amz-copy-source: /bobs/own" : "")
            + "\r\nContent-Length: 0\r\n\r\n";

    assertDenied(operation, request);
  }

  private static void assertDenied(S3Operation operation, String request) throws IOException {
    boolean head = operation.method().equals("HEAD");
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(request).receive(head);

      assertThat(refused.status()).isEqualTo(403);
      if (!head) {
        assertThat(refused.body())
            .contains("<Code>AccessDenied</Code>")
            .doesNotContain(SECRET, uploadId);
      }
    }
  }

  private static String target(S3Operation operation) {
    String path = operation.level() == S3Operation.Level.OBJECT ? "/alices/key" : "/alices";
    String parameter = operation.subresource().replaceFirst("^copy ?", "");
    return switch (parameter) {
      case "" -> path;
      case "list-type" -> path + "?list-type=2";
      case "uploadId" -> path + "?partNumber=2&uploadId=" + uploadId;
      default -> path + "?" + parameter + "=";
    };
  }

  @ParameterizedTest
  @CsvSource({
    "/alices/key, ''",
    "alices/key, ''",
    "alices%2Fkey, ''",
    "/alices/key?versionId=null, ''",
    "/alices/nothing, ''",
    "/alices/key, uploads",
    "alices/nothing, uploads",
  })
  void objectOfAnotherCannotBeCopied(String source, String uploads) throws IOException {
    String upload = bob.createMultipartUpload(r -> r.bucket("bobs").key("copy")).uploadId();
    String target = "/bobs/copy" + (uploads.isEmpty() ? "" : "?partNumber=1&uploadId=" + upload);
    Signed request =
        signer().sign("PUT", target, WireFixture.UNSIGNED, Map.of("x-amz-copy-source", source));
    try (RawConnection connection = connect()) {
      RawResponse refused = connection.send(request.with("Content-Length: 0\r\n")).receive();

      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.body()).contains("<Code>AccessDenied</Code>");
    }
    assertThat(bob.listParts(r -> r.bucket("bobs").key("copy").uploadId(upload)).parts()).isEmpty();
    bob.abortMultipartUpload(r -> r.bucket("bobs").key("copy").uploadId(upload));
  }

  @ParameterizedTest
  @CsvSource({"GET, ''", "PUT, &partNumber=1", "POST, ''", "DELETE, ''"})
  void uploadOfAnotherIsNotThereInOnesOwnBucket(String method, String more) throws IOException {
    String document =
        "<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>x</ETag></Part>"
            + "</CompleteMultipartUpload>";
    String query = more.startsWith("&") ? more.substring(1) + "&" : "";
    Signed request =
        signer()
            .sign(
                method,
                "/bobs/key?" + query + "uploadId=" + uploadId,
                HandSigner.sha256(document.getBytes(US_ASCII)),
                Map.of());
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection
              .send(request.with("Content-Length: " + document.length() + "\r\n"))
              .send(document)
              .receive();

      assertThat(refused.status()).isEqualTo(404);
      assertThat(refused.body()).contains("<Code>NoSuchUpload</Code>");
    }
  }

  @Test
  void nameOfABucketOfAnotherIsTaken() throws IOException {
    try (RawConnection connection = connect()) {
      RawResponse refused =
          connection
              .send(
                  signer()
                      .sign("PUT", "/alices", WireFixture.UNSIGNED, Map.of())
                      .with("Content-Length: 0\r\n"))
              .receive();

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.body()).contains("<Code>BucketAlreadyExists</Code>");
    }
  }

  @Test
  void requestMeantForABucketOfSomebodyElseIsRefused() {
    assertRefused(
        "AccessDenied",
        403,
        () ->
            alice.putObject(
                r -> r.bucket("alices").key("key").expectedBucketOwner("bob-id"),
                RequestBody.fromString("for bob")));
    assertRefused(
        "AccessDenied",
        403,
        () ->
            bob.copyObject(r ->
                r.sourceBucket("bobs")
                    .sourceKey("own")
                    .expectedSourceBucketOwner("alice-id")
                    .destinationBucket("bobs")
                    .destinationKey("copy")));

    assertThat(
            alice
                .getObjectAsBytes(
                    r -> r.bucket("alices").key("key").expectedBucketOwner("alice-id"))
                .asUtf8String())
        .isEqualTo(SECRET);
  }

  @Test
  void bucketsOfOthersAreNotListedOnAnyPage() throws IOException {
    try (RawConnection connection = connect()) {
      for (String prefix : List.of("", "a", "alices")) {
        Signed list =
            signer()
                .sign("GET", "/?max-buckets=1&prefix=" + prefix, WireFixture.UNSIGNED, Map.of());

        assertThat(connection.send(list.with("")).receive().body())
            .doesNotContain("<Name>alices</Name>", "<ContinuationToken>");
      }
    }
    assertThat(bob.listBuckets().buckets()).extracting(b -> b.name()).containsExactly("bobs");
  }

  private static HandSigner signer() {
    return new HandSigner(host(), GatewayFixture.BOB, Instant.now());
  }

  private static RawConnection connect() throws IOException {
    return new RawConnection(gateway.port());
  }

  private static String host() {
    return "127.0.0.1:" + gateway.port();
  }
}
