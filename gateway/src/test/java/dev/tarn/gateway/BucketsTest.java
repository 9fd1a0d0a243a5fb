package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.gateway.http.GatewayLimits;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.Bucket;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ListBucketsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** Buckets, who may touch them, and what tools ask of them. */
class BucketsTest {
  private GatewayFixture gateway;
  private S3Client alice;
  private S3Client bob;
  private S3Client admin;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    bob = gateway.client(GatewayFixture.BOB);
    admin = gateway.client(GatewayFixture.ADMIN);
    alice.createBucket(r -> r.bucket("alices"));
  }

  @AfterEach
  void stop() {
    alice.close();
    bob.close();
    admin.close();
    gateway.close();
  }

  @Test
  void bucketIsCreatedAgainByItsOwnerAloneAndKeepsItsObjects() {
    alice.putObject(r -> r.bucket("alices").key("kept"), RequestBody.fromString("x"));

    assertThat(alice.createBucket(r -> r.bucket("alices")).location()).isEqualTo("/alices");
    assertFails("BucketAlreadyExists", 409, () -> bob.createBucket(r -> r.bucket("alices")));
    assertFails("BucketAlreadyExists", 409, () -> admin.createBucket(r -> r.bucket("alices")));
    assertThat(alice.getObjectAsBytes(r -> r.bucket("alices").key("kept")).asUtf8String())
        .isEqualTo("x");
  }

  @Test
  void bucketThatIsCreatedAgainHasTheAclOfTheLastRequest() {
    alice.createBucket(r -> r.bucket("alices").acl(BucketCannedACL.PUBLIC_READ));
    assertThat(bob.listObjectsV2(r -> r.bucket("alices")).contents()).isEmpty();

    alice.createBucket(r -> r.bucket("alices"));
    assertFails("AccessDenied", 403, () -> bob.listObjectsV2(r -> r.bucket("alices")));
  }

  @Test
  void outsideOfUsEast1BucketIsCreatedOnceAndTheErrorTellsWhoseItIs() {
    GatewayConfig defaults = GatewayFixture.config(GatewayLimits.DEFAULT);
    GatewayConfig elsewhere =
        new GatewayConfig(
            defaults.host(),
            defaults.port(),
            defaults.tls(),
            defaults.domains(),
            "eu-west-1",
            defaults.limits(),
            defaults.bucketDefaults(),
            defaults.accessLog());
    try (GatewayFixture other = new GatewayFixture(elsewhere, UnaryOperator.identity());
        S3Client owner = other.client(GatewayFixture.ALICE);
        S3Client stranger = other.client(GatewayFixture.BOB)) {
      owner.createBucket(r -> r.bucket("theirs"));

      assertFails(
          "BucketAlreadyOwnedByYou", 409, () -> owner.createBucket(r -> r.bucket("theirs")));
      assertFails("BucketAlreadyExists", 409, () -> stranger.createBucket(r -> r.bucket("theirs")));
    }
  }

  @Test
  void bucketOfAReservedNameIsRefused() {
    assertFails("InvalidBucketName", 400, () -> alice.createBucket(r -> r.bucket("xn--reserved")));
  }

  @Test
  void bucketWithAnObjectIsNotDeletedAndOneWithAnOpenUploadIs() {
    alice.putObject(r -> r.bucket("alices").key("k"), RequestBody.fromString("x"));
    assertFails("BucketNotEmpty", 409, () -> alice.deleteBucket(r -> r.bucket("alices")));

    alice.deleteObject(r -> r.bucket("alices").key("k"));
    alice.createMultipartUpload(r -> r.bucket("alices").key("open"));
    alice.deleteBucket(r -> r.bucket("alices"));

    assertThatThrownBy(() -> alice.headBucket(r -> r.bucket("alices")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
  }

  @Test
  void headAndLocationTellTheRegion() {
    assertThat(alice.headBucket(r -> r.bucket("alices")).bucketRegion()).isEqualTo("us-east-1");
    assertThat(alice.getBucketLocation(r -> r.bucket("alices")).locationConstraintAsString())
        .isNullOrEmpty();
  }

  @Test
  void usersSeeTheirOwnBucketsPageByPageAndAdminsAll() {
    alice.createBucket(r -> r.bucket("alices2"));
    bob.createBucket(r -> r.bucket("bobs"));

    ListBucketsResponse first = alice.listBuckets(r -> r.maxBuckets(1));
    ListBucketsResponse second =
        alice.listBuckets(r -> r.maxBuckets(1).continuationToken(first.continuationToken()));

    assertThat(names(first)).containsExactly("alices");
    assertThat(names(second)).containsExactly("alices2");
    assertThat(second.continuationToken()).isNull();
    assertThat(names(bob.listBuckets())).containsExactly("bobs");
    assertThat(names(admin.listBuckets())).containsExactly("alices", "alices2", "bobs");
  }

  @Test
  void strangersAreDeniedAndAdminsAreNot() {
    alice.putObject(r -> r.bucket("alices").key("k"), RequestBody.fromString("x"));

    assertFails("AccessDenied", 403, () -> bob.getObjectAsBytes(r -> r.bucket("alices").key("k")));
    assertFails("AccessDenied", 403, () -> bob.deleteBucket(r -> r.bucket("alices")));
    assertFails("NoSuchBucket", 404, () -> bob.listObjectsV2(r -> r.bucket("nobodys")));
    assertThat(admin.getObjectAsBytes(r -> r.bucket("alices").key("k")).asUtf8String())
        .isEqualTo("x");
  }

  @Test
  void copyFromAForeignBucketIsDenied() {
    bob.createBucket(r -> r.bucket("bobs"));
    alice.putObject(r -> r.bucket("alices").key("k"), RequestBody.fromString("x"));

    assertFails(
        "AccessDenied",
        403,
        () ->
            bob.copyObject(r ->
                r.sourceBucket("alices")
                    .sourceKey("k")
                    .destinationBucket("bobs")
                    .destinationKey("k")));
  }

  @Test
  void severalKeysAreDeletedInOneRequest() {
    for (String key : List.of("a", "b", "c&<>")) {
      alice.putObject(r -> r.bucket("alices").key(key), RequestBody.fromString("x"));
    }

    DeleteObjectsResponse deleted =
        alice.deleteObjects(r -> r.bucket("alices").delete(keys("a", "missing", "c&<>")));
    DeleteObjectsResponse quiet =
        alice.deleteObjects(
            r -> r.bucket("alices").delete(keys("b").toBuilder().quiet(true).build()));

    assertThat(deleted.deleted())
        .extracting(object -> object.key())
        .containsExactly("a", "missing", "c&<>");
    assertThat(deleted.errors()).isEmpty();
    assertThat(quiet.deleted()).isEmpty();
    assertThat(alice.listObjectsV2(r -> r.bucket("alices")).contents()).isEmpty();
  }

  @Test
  void moreThanAThousandKeysAtOnceAreRefused() {
    String[] keys = new String[1001];
    for (int index = 0; index < keys.length; index++) {
      keys[index] = "k" + index;
    }

    assertFails(
        "MalformedXML", 400, () -> alice.deleteObjects(r -> r.bucket("alices").delete(keys(keys))));
  }

  @Test
  void toolsGetTheAnswersThatTheyNeed() {
    assertAnswers(s3 -> s3.getBucketVersioning(r -> r.bucket("alices")));
    assertAnswers(s3 -> s3.getBucketNotificationConfiguration(r -> r.bucket("alices")));
    assertAnswers(s3 -> s3.getBucketLogging(r -> r.bucket("alices")));
    assertAnswers(s3 -> s3.getBucketAccelerateConfiguration(r -> r.bucket("alices")));
    assertThat(alice.getBucketRequestPayment(r -> r.bucket("alices")).payerAsString())
        .isEqualTo("BucketOwner");
    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants())
        .extracting(grant -> grant.permissionAsString())
        .containsExactly("FULL_CONTROL");
    assertAnswers(s3 -> s3.putBucketAcl(r -> r.bucket("alices").acl("private")));
  }

  @Test
  void whatABucketDoesNotHaveIsToldByItsOwnError() {
    assertMissing("NoSuchBucketPolicy", s3 -> s3.getBucketPolicy(r -> r.bucket("alices")));
    assertMissing("NoSuchCORSConfiguration", s3 -> s3.getBucketCors(r -> r.bucket("alices")));
    assertMissing(
        "NoSuchLifecycleConfiguration",
        s3 -> s3.getBucketLifecycleConfiguration(r -> r.bucket("alices")));
    assertMissing("NoSuchTagSet", s3 -> s3.getBucketTagging(r -> r.bucket("alices")));
    assertMissing("NoSuchWebsiteConfiguration", s3 -> s3.getBucketWebsite(r -> r.bucket("alices")));
    assertMissing(
        "ObjectLockConfigurationNotFoundError",
        s3 -> s3.getObjectLockConfiguration(r -> r.bucket("alices")));
    assertMissing(
        "ServerSideEncryptionConfigurationNotFoundError",
        s3 -> s3.getBucketEncryption(r -> r.bucket("alices")));
    assertMissing(
        "ReplicationConfigurationNotFoundError",
        s3 -> s3.getBucketReplication(r -> r.bucket("alices")));
    assertMissing(
        "NoSuchPublicAccessBlockConfiguration",
        s3 -> s3.getPublicAccessBlock(r -> r.bucket("alices")));
    assertMissing(
        "OwnershipControlsNotFoundError",
        s3 -> s3.getBucketOwnershipControls(r -> r.bucket("alices")));
  }

  private void assertAnswers(Consumer<S3Client> call) {
    assertThatCode(() -> call.accept(alice)).doesNotThrowAnyException();
  }

  private void assertMissing(String code, Consumer<S3Client> call) {
    assertFails(code, 404, () -> call.accept(alice));
  }

  private static void assertFails(String code, int status, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code);
              assertThat(e.statusCode()).isEqualTo(status);
            });
  }

  private static List<String> names(ListBucketsResponse response) {
    return response.buckets().stream().map(Bucket::name).toList();
  }

  private static Delete keys(String... keys) {
    return Delete.builder()
        .objects(
            List.of(keys).stream().map(key -> ObjectIdentifier.builder().key(key).build()).toList())
        .build();
  }
}
