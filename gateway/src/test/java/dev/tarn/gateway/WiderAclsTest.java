package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.Grant;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;

/** ACLs that let anybody write into a bucket, or every user read. */
class WiderAclsTest {
  private static final String GROUPS = "http://acs.amazonaws.com/groups/global/";
  private static final RequestBody BODY = RequestBody.fromString("content");

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
  }

  @AfterEach
  void stop() {
    alice.close();
    bob.close();
    anybody.close();
    gateway.close();
  }

  @Test
  void bucketThatAnybodyMayWriteIsListedAndPutIntoAndNothingElse() {
    alice.putObject(r -> r.bucket("alices").key("closed"), BODY);
    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read-write"));

    for (S3Client writer : List.of(bob, anybody)) {
      writer.putObject(r -> r.bucket("alices").key("new"), BODY);
      writer.putObject(r -> r.bucket("alices").key("closed"), RequestBody.fromString("replaced"));
      assertThat(writer.listObjectsV2(r -> r.bucket("alices")).contents()).hasSize(2);
      for (String key : List.of("closed", "new")) {
        assertRefused(
            "AccessDenied", 403, () -> writer.getObject(r -> r.bucket("alices").key(key)));
        assertRefused(
            "AccessDenied", 403, () -> writer.deleteObject(r -> r.bucket("alices").key(key)));
      }
      assertRefused(
          "AccessDenied",
          403,
          () -> writer.putObject(r -> r.bucket("alices").key("new").tagging("k=v"), BODY));
      assertRefused(
          "AccessDenied",
          403,
          () ->
              writer.putObject(
                  r -> r.bucket("alices").key("new").acl(ObjectCannedACL.PUBLIC_READ), BODY));
      assertRefused("AccessDenied", 403, () -> writer.deleteBucket(r -> r.bucket("alices")));
      assertRefused("AccessDenied", 403, () -> writer.getBucketAcl(r -> r.bucket("alices")));
    }
    assertThat(alice.getObjectAsBytes(r -> r.bucket("alices").key("closed")).asUtf8String())
        .isEqualTo("replaced");

    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read"));
    assertRefused("AccessDenied", 403, () -> bob.putObject(r -> r.bucket("alices").key("k"), BODY));
  }

  @Test
  void bucketThatAnybodyMayWriteTakesUploadsInParts() {
    alice.createBucket(r -> r.bucket("open").acl("public-read-write"));

    String id = anybody.createMultipartUpload(r -> r.bucket("open").key("parts")).uploadId();
    String etag =
        bob.uploadPart(r -> r.bucket("open").key("parts").uploadId(id).partNumber(1), BODY).eTag();
    CompletedPart part = CompletedPart.builder().partNumber(1).eTag(etag).build();
    anybody.completeMultipartUpload(
        r -> r.bucket("open").key("parts").uploadId(id).multipartUpload(u -> u.parts(part)));

    assertThat(alice.getObjectAsBytes(r -> r.bucket("open").key("parts")).asUtf8String())
        .isEqualTo("content");
  }

  @Test
  void objectThatEveryUserMayReadIsNotAnybodysToRead() {
    alice.putObject(r -> r.bucket("alices").key("k").acl(ObjectCannedACL.AUTHENTICATED_READ), BODY);

    assertThat(bob.getObjectAsBytes(r -> r.bucket("alices").key("k")).asUtf8String())
        .isEqualTo("content");
    assertThat(bob.headObject(r -> r.bucket("alices").key("k")).contentLength()).isEqualTo(7);
    bob.createBucket(r -> r.bucket("bobs"));
    bob.copyObject(
        r -> r.sourceBucket("alices").sourceKey("k").destinationBucket("bobs").destinationKey("k"));
    assertRefused("AccessDenied", 403, () -> bob.putObject(r -> r.bucket("alices").key("k"), BODY));
    assertRefused("AccessDenied", 403, () -> bob.listObjectsV2(r -> r.bucket("alices")));
    assertRefused("AccessDenied", 403, () -> anybody.getObject(r -> r.bucket("alices").key("k")));
    assertRefused("AccessDenied", 403, () -> anybody.headObject(r -> r.bucket("alices").key("k")));
    assertRefused(
        "AccessDenied",
        403,
        () -> anybody.getObject(r -> r.bucket("alices").key("k").ifMatch("another")));
    assertThat(gateway.memory().openBodies()).isZero();
  }

  @Test
  void bucketThatEveryUserMayListIsNotAnybodysToList() {
    alice.createBucket(r -> r.bucket("listed").acl("authenticated-read"));

    assertThat(bob.listObjectsV2(r -> r.bucket("listed")).contents()).isEmpty();
    assertRefused("AccessDenied", 403, () -> anybody.listObjectsV2(r -> r.bucket("listed")));
    assertRefused("AccessDenied", 403, () -> bob.putObject(r -> r.bucket("listed").key("k"), BODY));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bucket-owner-read", "bucket-owner-full-control"})
  void objectForTheBucketsOwnerIsPrivate(String acl) {
    alice.putObject(r -> r.bucket("alices").key("k").acl(acl), BODY);

    assertRefused("AccessDenied", 403, () -> bob.getObject(r -> r.bucket("alices").key("k")));
    assertThat(grants(alice.getObjectAcl(r -> r.bucket("alices").key("k")).grants()))
        .containsExactly("alice-id FULL_CONTROL");
  }

  @ParameterizedTest
  @CsvSource({
    "public-read-write, AllUsers READ, AllUsers WRITE",
    "authenticated-read, AuthenticatedUsers READ, ",
  })
  void aclIsShownAsGrantsThatSetItAgain(String acl, String first, String second) {
    List<String> expected =
        second == null
            ? List.of("alice-id FULL_CONTROL", first)
            : List.of("alice-id FULL_CONTROL", first, second);
    alice.putObject(r -> r.bucket("alices").key("k").acl(acl), BODY);
    alice.putBucketAcl(r -> r.bucket("alices").acl(acl));
    List<Grant> ofBucket = alice.getBucketAcl(r -> r.bucket("alices")).grants();
    List<Grant> ofObject = alice.getObjectAcl(r -> r.bucket("alices").key("k")).grants();

    assertThat(grants(ofBucket)).isEqualTo(expected);
    assertThat(grants(ofObject)).isEqualTo(expected);

    alice.putBucketAcl(r -> r.bucket("alices").acl("private"));
    alice.putObjectAcl(r -> r.bucket("alices").key("k").acl("private"));
    alice.putBucketAcl(r ->
        r.bucket("alices")
            .accessControlPolicy(p -> p.owner(o -> o.id("alice-id")).grants(ofBucket)));
    alice.putObjectAcl(r ->
        r.bucket("alices")
            .key("k")
            .accessControlPolicy(p -> p.owner(o -> o.id("alice-id")).grants(ofObject)));

    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants()).isEqualTo(ofBucket);
    assertThat(alice.getObjectAcl(r -> r.bucket("alices").key("k")).grants()).isEqualTo(ofObject);
  }

  private static List<String> grants(List<Grant> grants) {
    return grants.stream()
        .map(grant ->
            (grant.grantee().uri() == null
                    ? grant.grantee().id()
                    : grant.grantee().uri().substring(GROUPS.length()))
                + " "
                + grant.permissionAsString())
        .toList();
  }
}
