package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.fixtures.MemoryControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What a gateway does about names that it does not know, as they were made elsewhere. */
@Timeout(60)
class UnknownNamesTest {
  private static final String KNOWN = "known";
  private static final String ELSEWHERE = "made-elsewhere";

  @TempDir private Path folder;
  private ReticentControlNode control;
  private GatewayFixture gateway;
  private S3Client alice;

  @BeforeEach
  void start() {
    MemoryControlPlane newest = new MemoryControlPlane();
    control = new ReticentControlNode(newest, folder);
    gateway = new GatewayFixture(newest, control.gateway());
    alice = gateway.client(GatewayFixture.ALICE);
    alice.createBucket(r -> r.bucket(KNOWN));
  }

  @AfterEach
  void stop() {
    alice.close();
    gateway.close();
    control.close();
  }

  private void createElsewhere(String bucket) {
    gateway.submit(new Command.CreateBucket(1, bucket, "alice-id", BucketSettings.PRIMARY));
  }

  @Test
  void bucketMadeElsewhereTakesAnObjectAtOnce() {
    createElsewhere(ELSEWHERE);
    byte[] bytes = new byte[3_000_000];
    new Random(4).nextBytes(bytes);

    alice.putObject(r -> r.bucket(ELSEWHERE).key("k"), RequestBody.fromBytes(bytes));

    assertThat(alice.getObjectAsBytes(r -> r.bucket(ELSEWHERE).key("k")).asByteArray())
        .isEqualTo(bytes);
  }

  @Test
  void documentForABucketMadeElsewhereIsReadAfterTheQuestion() {
    createElsewhere(ELSEWHERE);

    Delete delete =
        Delete.builder().objects(ObjectIdentifier.builder().key("none").build()).build();
    assertThat(alice.deleteObjects(r -> r.bucket(ELSEWHERE).delete(delete)).deleted()).hasSize(1);
  }

  @Test
  void keyPairMadeElsewhereLetsItsUserIn() {
    gateway.addUser("carol", false, "CAROLKEY");

    try (S3Client carol = gateway.client("CAROLKEY")) {
      carol.createBucket(r -> r.bucket("carols"));
      assertThat(carol.listBuckets().buckets()).extracting(Bucket::name).containsExactly("carols");
    }
  }

  @Test
  void urlForABucketMadeElsewhereWorks() throws IOException {
    createElsewhere(ELSEWHERE);
    String host = "127.0.0.1:" + gateway.port();
    HandSigner signer = new HandSigner(host);
    String url =
        signer.presign("PUT", "/" + ELSEWHERE + "/k", Map.of("x-amz-meta-color", "red"), Map.of());

    try (RawConnection connection = new RawConnection(gateway.port())) {
      connection.send(
          "PUT "
              + url
              + " HTTP/1.1\r\nHost: "
              + host
              + "\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
      assertThat(connection.receive().status()).isEqualTo(100);
      assertThat(connection.send("hello").receive().status()).isEqualTo(200);
    }
    assertThat(alice.headObject(r -> r.bucket(ELSEWHERE).key("k")).metadata())
        .containsEntry("color", "red");
  }

  @Test
  void copyFromABucketMadeElsewhereIsMade() {
    createElsewhere(ELSEWHERE);

    assertRefused(
        "NoSuchKey",
        404,
        () ->
            alice.copyObject(r ->
                r.sourceBucket(ELSEWHERE)
                    .sourceKey("none")
                    .destinationBucket(KNOWN)
                    .destinationKey("k")));
  }

  @Test
  void bucketDeletedElsewhereCanBeMadeAgain() {
    gateway.submit(new Command.DeleteBucket(1, KNOWN, Optional.empty()));

    alice.createBucket(r -> r.bucket(KNOWN));

    assertThat(alice.headBucket(r -> r.bucket(KNOWN)).sdkHttpResponse().isSuccessful()).isTrue();
  }

  @Test
  void whatIsKnownIsNeverAskedFor() {
    int before = control.questions();

    alice.putObject(r -> r.bucket(KNOWN).key("k"), RequestBody.fromString("x"));
    alice.getObjectAsBytes(r -> r.bucket(KNOWN).key("k"));
    assertRefused("NoSuchKey", 404, () -> alice.getObject(r -> r.bucket(KNOWN).key("none")));
    try (S3Client bob = gateway.client(GatewayFixture.BOB)) {
      assertRefused("AccessDenied", 403, () -> bob.getObject(r -> r.bucket(KNOWN).key("k")));
    }

    assertThat(control.questions()).isEqualTo(before);
  }

  @Test
  void whatNobodyKnowsIsRefusedAfterOneQuestion() {
    int before = control.questions();

    assertRefused("NoSuchBucket", 404, () -> alice.listObjectsV2(r -> r.bucket("nowhere")));
    try (S3Client stranger = gateway.client("STRANGERKEY")) {
      assertRefused("InvalidAccessKeyId", 403, stranger::listBuckets);
    }

    assertThat(control.questions()).isEqualTo(before + 2);
  }

  @Test
  void whileTheControlPlaneIsAwayOnlyWhatIsKnownIsAnswered() {
    control.setAway(true);

    alice.putObject(r -> r.bucket(KNOWN).key("k"), RequestBody.fromString("x"));
    assertThat(alice.getObjectAsBytes(r -> r.bucket(KNOWN).key("k")).asUtf8String()).isEqualTo("x");
    assertUnavailable("does not answer", () -> alice.listObjectsV2(r -> r.bucket(ELSEWHERE)));
    assertUnavailable("does not answer", () -> copyFromElsewhere());
    assertUnavailable("takes no changes now", () -> alice.createBucket(r -> r.bucket("new")));
    try (S3Client stranger = gateway.client("STRANGERKEY")) {
      assertUnavailable("does not answer", stranger::listBuckets);
    }

    control.setAway(false);
    alice.createBucket(r -> r.bucket("new"));
  }

  @Test
  void whileTheControlPlaneIsAwayAKnownBucketIsSaidToExist() {
    control.setAway(true);

    assertThat(alice.createBucket(r -> r.bucket(KNOWN)).location()).isEqualTo("/" + KNOWN);
    assertUnavailable(
        "takes no changes now",
        () -> alice.createBucket(r -> r.bucket(KNOWN).acl(BucketCannedACL.PUBLIC_READ)));
    try (S3Client bob = gateway.client(GatewayFixture.BOB)) {
      assertRefused("BucketAlreadyExists", 409, () -> bob.createBucket(r -> r.bucket(KNOWN)));
    }
  }

  private void copyFromElsewhere() {
    alice.copyObject(
        r -> r.sourceBucket(ELSEWHERE).sourceKey("k").destinationBucket(KNOWN).destinationKey("c"));
  }

  private static void assertUnavailable(String reason, ThrowingCallable request) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo("ServiceUnavailable");
              assertThat(e.awsErrorDetails().errorMessage()).contains(reason);
              assertThat(e.statusCode()).isEqualTo(503);
            });
  }

  private static void assertRefused(String code, int status, ThrowingCallable request) {
    assertThatThrownBy(request)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
              assertThat(e.statusCode()).isEqualTo(status);
            });
  }
}
