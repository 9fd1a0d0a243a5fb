package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Grant;
import software.amazon.awssdk.services.s3.model.Grantee;
import software.amazon.awssdk.services.s3.model.MetadataDirective;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.Permission;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Type;

/** Canned ACLs of buckets and objects. */
class AclsTest {
  private static final String ALL_USERS = "http://acs.amazonaws.com/groups/global/AllUsers";
  private static final RequestBody BODY = RequestBody.fromString("x");
  private static final String OPEN = "open";
  private static final String CLOSED = "closed";

  private GatewayFixture gateway;
  private S3Client alice;
  private S3Client bob;
  private S3Client anybody;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    bob = gateway.client(GatewayFixture.BOB);
    anybody = gateway.anonymous();
    alice.createBucket(r -> r.bucket("alices"));
    bob.createBucket(r -> r.bucket("bobs"));
    put(OPEN, ObjectCannedACL.PUBLIC_READ);
    put(CLOSED, ObjectCannedACL.PRIVATE);
  }

  @AfterEach
  void stop() {
    alice.close();
    bob.close();
    anybody.close();
    gateway.close();
  }

  private void put(String key, ObjectCannedACL acl) {
    alice.putObject(r -> r.bucket("alices").key(key).acl(acl), RequestBody.fromString("content"));
  }

  @Test
  void publicObjectIsEverybodysToReadAndAPrivateOneIsNot() {
    for (S3Client reader : List.of(bob, anybody)) {
      assertThat(reader.getObjectAsBytes(r -> r.bucket("alices").key(OPEN)).asUtf8String())
          .isEqualTo("content");
      assertThat(
              reader
                  .getObjectAsBytes(r -> r.bucket("alices").key(OPEN).range("bytes=3-"))
                  .asUtf8String())
          .isEqualTo("tent");
      assertThat(reader.headObject(r -> r.bucket("alices").key(OPEN)).contentLength()).isEqualTo(7);

      assertRefused(
          "AccessDenied", 403, () -> reader.getObject(r -> r.bucket("alices").key(CLOSED)));
      assertRefused(
          "AccessDenied", 403, () -> reader.headObject(r -> r.bucket("alices").key(CLOSED)));
    }
    assertThat(gateway.memory().openBodies()).isZero();
  }

  @Test
  void publicObjectIsNotEverybodysToChangeListOrDelete() {
    for (S3Client stranger : List.of(bob, anybody)) {
      assertRefused("AccessDenied", 403, () -> stranger.listObjectsV2(r -> r.bucket("alices")));
      assertRefused(
          "AccessDenied", 403, () -> stranger.deleteObject(r -> r.bucket("alices").key(OPEN)));
      assertRefused(
          "AccessDenied", 403, () -> stranger.getObjectAcl(r -> r.bucket("alices").key(OPEN)));
      assertRefused(
          "AccessDenied", 403, () -> stranger.getObjectTagging(r -> r.bucket("alices").key(OPEN)));
      assertRefused(
          "AccessDenied",
          403,
          () ->
              stranger.putObject(
                  r -> r.bucket("alices").key(OPEN), RequestBody.fromString("mine")));
    }
  }

  @Test
  void conditionsTellNothingOfAPrivateObjectAndAllOfAPublicOne() {
    String etag = alice.headObject(r -> r.bucket("alices").key(OPEN)).eTag();

    assertConditions(OPEN, etag, 304, 412, 416);
    assertConditions(CLOSED, etag, 403, 403, 403);
  }

  private void assertConditions(String key, String etag, int same, int other, int beyond) {
    assertThat(
            statusOf(() -> anybody.getObject(r -> r.bucket("alices").key(key).ifNoneMatch(etag))))
        .isEqualTo(same);
    assertThat(
            statusOf(() ->
                anybody.headObject(
                    r -> r.bucket("alices").key(key).ifModifiedSince(Instant.now()))))
        .isEqualTo(same);
    assertThat(
            statusOf(() -> anybody.getObject(r -> r.bucket("alices").key(key).ifMatch("another"))))
        .isEqualTo(other);
    assertThat(
            statusOf(() -> anybody.getObject(r -> r.bucket("alices").key(key).range("bytes=100-"))))
        .isEqualTo(beyond);
  }

  private static int statusOf(Runnable call) {
    try {
      call.run();
      return 200;
    } catch (S3Exception e) {
      return e.statusCode();
    }
  }

  @Test
  void missingKeyIsToldToThoseWhoMayList() {
    assertRefused(
        "AccessDenied", 403, () -> anybody.getObject(r -> r.bucket("alices").key("none")));
    assertThat(statusOf(() -> anybody.headObject(r -> r.bucket("alices").key("none"))))
        .isEqualTo(403);

    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read"));

    assertRefused("NoSuchKey", 404, () -> anybody.getObject(r -> r.bucket("alices").key("none")));
    assertThat(statusOf(() -> anybody.headObject(r -> r.bucket("alices").key("none"))))
        .isEqualTo(404);
  }

  @Test
  void publicBucketIsEverybodysToListAndItsObjectsAreNotThereforeReadable() {
    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read"));

    assertThat(anybody.listObjectsV2(r -> r.bucket("alices")).contents()).hasSize(2);
    assertThat(anybody.listObjects(r -> r.bucket("alices")).contents()).hasSize(2);
    assertThat(anybody.listMultipartUploads(r -> r.bucket("alices")).uploads()).isEmpty();
    assertThat(bob.headBucket(r -> r.bucket("alices")).bucketRegion()).isNotEmpty();
    assertRefused(
        "AccessDenied", 403, () -> anybody.getObject(r -> r.bucket("alices").key(CLOSED)));

    alice.putBucketAcl(r -> r.bucket("alices").acl("private"));
    assertRefused("AccessDenied", 403, () -> anybody.listObjectsV2(r -> r.bucket("alices")));
  }

  @Test
  void aclIsShownAsGrantsAndInNoHeader() {
    assertPublic(alice.getObjectAcl(r -> r.bucket("alices").key(OPEN)).grants());
    assertPrivate(alice.getObjectAcl(r -> r.bucket("alices").key(CLOSED)).grants());
    assertPrivate(alice.getBucketAcl(r -> r.bucket("alices")).grants());
    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read"));
    assertPublic(alice.getBucketAcl(r -> r.bucket("alices")).grants());

    assertThat(
            alice
                .headObject(r -> r.bucket("alices").key(OPEN))
                .sdkHttpResponse()
                .headers()
                .keySet())
        .noneMatch("x-amz-acl"::equalsIgnoreCase);
  }

  private static void assertPublic(List<Grant> grants) {
    assertThat(grants)
        .extracting(Grant::permission)
        .containsExactly(Permission.FULL_CONTROL, Permission.READ);
    assertThat(grants.getLast().grantee().uri()).isEqualTo(ALL_USERS);
  }

  private static void assertPrivate(List<Grant> grants) {
    assertThat(grants).extracting(Grant::permission).containsExactly(Permission.FULL_CONTROL);
  }

  @Test
  void bucketsAclIsSetByADocumentToo() {
    Grant owners = grant(g -> g.type(Type.CANONICAL_USER).id("alice-id"), Permission.FULL_CONTROL);
    Grant everybodys = grant(g -> g.type(Type.GROUP).uri(ALL_USERS), Permission.READ);
    Grant writing = grant(g -> g.type(Type.GROUP).uri(ALL_USERS), Permission.WRITE);
    Grant bobs = grant(g -> g.type(Type.CANONICAL_USER).id("bob-id"), Permission.READ);

    setGrants(owners, everybodys);
    assertPublic(alice.getBucketAcl(r -> r.bucket("alices")).grants());
    assertRefused("NotImplemented", 501, () -> setGrants(everybodys));
    Grant nobodys = grant(g -> g.type(Type.CANONICAL_USER).id("nobody"), Permission.READ);
    assertRefused("InvalidArgument", 400, () -> setGrants(owners, nobodys));
    assertPublic(alice.getBucketAcl(r -> r.bucket("alices")).grants());
    setGrants(writing, bobs, owners);
    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants())
        .extracting(Grant::permission)
        .containsExactly(Permission.FULL_CONTROL, Permission.READ, Permission.WRITE);
    assertThat(bob.listObjectsV2(r -> r.bucket("alices")).contents()).hasSize(2);
    assertRefused("AccessDenied", 403, () -> anybody.listObjectsV2(r -> r.bucket("alices")));
    setGrants(owners);
    assertPrivate(alice.getBucketAcl(r -> r.bucket("alices")).grants());
  }

  private void setGrants(Grant... grants) {
    alice.putBucketAcl(r ->
        r.bucket("alices").accessControlPolicy(p -> p.owner(o -> o.id("alice-id")).grants(grants)));
  }

  private static Grant grant(Consumer<Grantee.Builder> to, Permission permission) {
    return Grant.builder().grantee(to).permission(permission).build();
  }

  @ParameterizedTest
  @ValueSource(strings = {"aws-exec-read", "log-delivery-write"})
  void otherCannedAclsAreNotImplemented(String acl) {
    assertAclRefused("NotImplemented", 501, acl);
  }

  @Test
  void aclThatS3DoesNotKnowIsRefused() {
    assertAclRefused("InvalidArgument", 400, "nonsense");
  }

  private void assertAclRefused(String code, int status, String acl) {
    assertRefused(code, status, () -> alice.putBucketAcl(r -> r.bucket("alices").acl(acl)));
    assertRefused(code, status, () -> alice.createBucket(r -> r.bucket("another").acl(acl)));
    assertRefused(
        code, status, () -> alice.putObjectAcl(r -> r.bucket("alices").key(OPEN).acl(acl)));
    assertRefused(
        code,
        status,
        () ->
            alice.putObject(
                r -> r.bucket("alices").key("new").acl(acl), RequestBody.fromString("x")));
    assertRefused(
        code,
        status,
        () -> alice.createMultipartUpload(r -> r.bucket("alices").key("new").acl(acl)));
    assertThat(alice.listObjectsV2(r -> r.bucket("alices")).contents()).hasSize(2);
  }

  @Test
  void bucketIsCreatedOpenToItsListing() {
    alice.createBucket(r -> r.bucket("listed").acl("public-read"));

    assertThat(anybody.listObjectsV2(r -> r.bucket("listed")).contents()).isEmpty();
  }

  @Test
  void copyIsPrivateUnlessItSaysOtherwiseWhetherOrNotItReplacesMetadata() {
    alice.copyObject(r ->
        r.sourceBucket("alices")
            .sourceKey(OPEN)
            .destinationBucket("alices")
            .destinationKey("copy"));
    assertRefused(
        "AccessDenied", 403, () -> anybody.getObject(r -> r.bucket("alices").key("copy")));

    for (MetadataDirective directive : List.of(MetadataDirective.COPY, MetadataDirective.REPLACE)) {
      alice.copyObject(r ->
          r.sourceBucket("alices")
              .sourceKey(CLOSED)
              .destinationBucket("alices")
              .destinationKey("opened")
              .metadataDirective(directive)
              .acl(ObjectCannedACL.PUBLIC_READ));

      assertThat(anybody.getObjectAsBytes(r -> r.bucket("alices").key("opened")).asUtf8String())
          .isEqualTo("content");
    }
  }

  @Test
  void uploadsObjectHasTheAclThatItsBeginningNamed() {
    assertRefused(
        "AccessDenied",
        403,
        () -> anybody.getObject(r -> r.bucket("alices").key(upload("closed-parts", "private"))));
    assertThat(
            anybody
                .getObjectAsBytes(r -> r.bucket("alices").key(upload("parts", "public-read")))
                .asUtf8String())
        .isEqualTo("part");
  }

  private String upload(String key, String acl) {
    String id = alice.createMultipartUpload(r -> r.bucket("alices").key(key).acl(acl)).uploadId();
    String etag =
        alice
            .uploadPart(
                r -> r.bucket("alices").key(key).uploadId(id).partNumber(1),
                RequestBody.fromString("part"))
            .eTag();
    alice.completeMultipartUpload(r ->
        r.bucket("alices")
            .key(key)
            .uploadId(id)
            .multipartUpload(
                u -> u.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())));
    return key;
  }

  @Test
  void strangerCopiesWhatIsPublicAndNothingElse() {
    upload("parts", "public-read");

    copyToBobs(OPEN);
    copyToBobs("parts");

    assertThat(bob.getObjectAsBytes(r -> r.bucket("bobs").key(OPEN)).asUtf8String())
        .isEqualTo("content");
    assertThat(bob.getObjectAsBytes(r -> r.bucket("bobs").key("parts")).asUtf8String())
        .isEqualTo("part");
    for (String key : List.of(OPEN, "parts")) {
      assertRefused("AccessDenied", 403, () -> anybody.headObject(r -> r.bucket("bobs").key(key)));
      bob.copyObject(r ->
          r.sourceBucket("alices")
              .sourceKey(key)
              .destinationBucket("bobs")
              .destinationKey(key)
              .acl(ObjectCannedACL.PUBLIC_READ));
      assertThat(anybody.headObject(r -> r.bucket("bobs").key(key)).contentLength()).isPositive();
    }
    assertRefused("AccessDenied", 403, () -> copyToBobs(CLOSED));
    assertRefused("AccessDenied", 403, () -> copyToBobs("none"));
    String id = bob.createMultipartUpload(r -> r.bucket("bobs").key("joined")).uploadId();
    assertThat(copyPartToBobs(OPEN, id)).isNotEmpty();
    alice.putObject(
        r -> r.bucket("alices").key("tagged").acl(ObjectCannedACL.PUBLIC_READ).tagging("k=v"),
        BODY);
    assertRefused("AccessDenied", 403, () -> copyToBobs("tagged"));
    assertRefused("AccessDenied", 403, () -> copyPartToBobs(CLOSED, id));
    assertThat(gateway.memory().openBodies()).isZero();
  }

  private void copyToBobs(String key) {
    bob.copyObject(
        r -> r.sourceBucket("alices").sourceKey(key).destinationBucket("bobs").destinationKey(key));
  }

  private String copyPartToBobs(String key, String id) {
    return bob.uploadPartCopy(r ->
            r.sourceBucket("alices")
                .sourceKey(key)
                .destinationBucket("bobs")
                .destinationKey("joined")
                .uploadId(id)
                .partNumber(1))
        .copyPartResult()
        .eTag();
  }

  @Test
  void overwrittenObjectHasTheAclOfItsLastWriter() {
    alice.putObject(r -> r.bucket("alices").key(OPEN), RequestBody.fromString("secret"));

    assertRefused("AccessDenied", 403, () -> anybody.getObject(r -> r.bucket("alices").key(OPEN)));
  }

  @Test
  void aclOfAStoredObjectIsChangedByNameAndByDocument() {
    Grant owners = grant(g -> g.type(Type.CANONICAL_USER).id("alice-id"), Permission.FULL_CONTROL);
    Grant everybodys = grant(g -> g.type(Type.GROUP).uri(ALL_USERS), Permission.READ);

    alice.putObjectAcl(r -> r.bucket("alices").key(CLOSED).acl(ObjectCannedACL.PUBLIC_READ));
    assertThat(anybody.getObjectAsBytes(r -> r.bucket("alices").key(CLOSED)).asUtf8String())
        .isEqualTo("content");
    alice.putObjectAcl(r ->
        r.bucket("alices")
            .key(CLOSED)
            .accessControlPolicy(p -> p.owner(o -> o.id("alice-id")).grants(owners)));
    assertRefused(
        "AccessDenied", 403, () -> anybody.getObject(r -> r.bucket("alices").key(CLOSED)));
    alice.putObjectAcl(r ->
        r.bucket("alices")
            .key(CLOSED)
            .accessControlPolicy(p -> p.owner(o -> o.id("alice-id")).grants(owners, everybodys)));
    assertPublic(alice.getObjectAcl(r -> r.bucket("alices").key(CLOSED)).grants());
    assertRefused(
        "NoSuchKey",
        404,
        () ->
            alice.putObjectAcl(
                r -> r.bucket("alices").key("none").acl(ObjectCannedACL.PUBLIC_READ)));
  }

  @Test
  void versionsHaveAclsOfTheirOwn() {
    alice.putBucketVersioning(
        r -> r.bucket("alices").versioningConfiguration(v -> v.status("Enabled")));
    String first = alice.putObject(r -> r.bucket("alices").key("v"), BODY).versionId();
    String second = alice.putObject(r -> r.bucket("alices").key("v"), BODY).versionId();

    alice.putObjectAcl(
        r -> r.bucket("alices").key("v").versionId(first).acl(ObjectCannedACL.PUBLIC_READ));

    assertThat(
            statusOf(() -> anybody.headObject(r -> r.bucket("alices").key("v").versionId(first))))
        .isEqualTo(200);
    assertThat(
            statusOf(() -> anybody.headObject(r -> r.bucket("alices").key("v").versionId(second))))
        .isEqualTo(403);
    assertThat(statusOf(() -> anybody.headObject(r -> r.bucket("alices").key("v")))).isEqualTo(403);
  }

  @Test
  void tagsLeaveTheAclAsItIs() {
    alice.putObjectTagging(r ->
        r.bucket("alices")
            .key(OPEN)
            .tagging(t -> t.tagSet(Tag.builder().key("k").value("v").build())));

    assertThat(anybody.getObjectAsBytes(r -> r.bucket("alices").key(OPEN)).asUtf8String())
        .isEqualTo("content");
  }

  @Test
  void objectsOfABucketWithABackendCannotBePublic() {
    BucketSettings cached =
        BucketSettings.PRIMARY
            .with(BucketSettings.Durability.OS)
            .withBackend(
                Optional.of(
                    new BackendSettings(
                        Optional.of(URI.create("http://127.0.0.1:1")),
                        "us-east-1",
                        "theirs",
                        "",
                        "",
                        "")));
    gateway.submit(new Command.CreateBucket(1, "cached", "alice-id", cached));

    assertRefused(
        "NotImplemented",
        501,
        () ->
            alice.putObject(
                r -> r.bucket("cached").key("k").acl(ObjectCannedACL.PUBLIC_READ),
                RequestBody.fromString("x")));
  }
}
