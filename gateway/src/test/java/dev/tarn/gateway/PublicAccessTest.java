package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.ObjectOwnership;
import software.amazon.awssdk.services.s3.model.OwnershipControlsRule;
import software.amazon.awssdk.services.s3.model.PublicAccessBlockConfiguration;

/** What owners set against public access: the public access block and the ownership of objects. */
class PublicAccessTest {
  private static final RequestBody BODY = RequestBody.fromString("content");

  private WireFixture wire;
  private S3Client alice;
  private S3Client bob;
  private S3Client anybody;

  @BeforeEach
  void start() {
    wire = new WireFixture("wire");
    alice = wire.s3();
    bob = wire.gateway().client(GatewayFixture.BOB);
    anybody = wire.gateway().anonymous();
    alice.createBucket(r -> r.bucket("alices"));
  }

  @AfterEach
  void stop() {
    bob.close();
    anybody.close();
    wire.close();
  }

  private void block(Consumer<PublicAccessBlockConfiguration.Builder> flags) {
    alice.putPublicAccessBlock(r -> r.bucket("alices").publicAccessBlockConfiguration(flags));
  }

  private PublicAccessBlockConfiguration block() {
    return alice.getPublicAccessBlock(r -> r.bucket("alices")).publicAccessBlockConfiguration();
  }

  private void own(ObjectOwnership ownership) {
    OwnershipControlsRule rule = OwnershipControlsRule.builder().objectOwnership(ownership).build();
    alice.putBucketOwnershipControls(r -> r.bucket("alices").ownershipControls(c -> c.rules(rule)));
  }

  private List<ObjectOwnership> ownership() {
    return alice
        .getBucketOwnershipControls(r -> r.bucket("alices"))
        .ownershipControls()
        .rules()
        .stream()
        .map(OwnershipControlsRule::objectOwnership)
        .toList();
  }

  private void setPolicy(String... statements) {
    alice.putBucketPolicy(r ->
        r.bucket("alices")
            .policy(("{'Statement':[" + String.join(",", statements) + "]}").replace('\'', '"')));
  }

  private static String allow(String principal, String action) {
    return "{'Effect':'Allow','Principal':{'AWS':'%s'},'Action':'%s',".formatted(principal, action)
        + "'Resource':'arn:aws:s3:::alices*'}";
  }

  @Test
  void blockIsReadAsItWasPutAndGoneWhenDeleted() {
    block(b -> b.blockPublicAcls(true).restrictPublicBuckets(true));
    assertThat(block())
        .isEqualTo(
            PublicAccessBlockConfiguration.builder()
                .blockPublicAcls(true)
                .ignorePublicAcls(false)
                .blockPublicPolicy(false)
                .restrictPublicBuckets(true)
                .build());
    block(b -> b.ignorePublicAcls(true).blockPublicPolicy(true));
    assertThat(block().blockPublicAcls()).isFalse();
    assertThat(block().ignorePublicAcls()).isTrue();
    assertThat(block().blockPublicPolicy()).isTrue();

    alice.deletePublicAccessBlock(r -> r.bucket("alices"));
    assertRefused("NoSuchPublicAccessBlockConfiguration", 404, this::block);
    alice.deletePublicAccessBlock(r -> r.bucket("alices"));
  }

  @ParameterizedTest
  @CsvSource({
    "publicAccessBlock, PublicAccessBlockConfiguration, "
        + "<BlockPublicAcls>true</BlockPublicAcls><BlockPublicAcls>false</BlockPublicAcls>",
    "publicAccessBlock, PublicAccessBlockConfiguration, <BlockPublicAcls>yes</BlockPublicAcls>",
    "publicAccessBlock, PublicAccessBlockConfiguration, <BlockEverything>true</BlockEverything>",
    "publicAccessBlock, PublicAccessBlock, <BlockPublicAcls>true</BlockPublicAcls>",
    "ownershipControls, OwnershipControls, ''",
    "ownershipControls, OwnershipControls, <Rule/>",
    "ownershipControls, OwnershipControls, "
        + "<Rule><ObjectOwnership>Nobody</ObjectOwnership></Rule>",
    "ownershipControls, OwnershipControls, "
        + "<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule>"
        + "<Rule><ObjectOwnership>ObjectWriter</ObjectOwnership></Rule>",
  })
  void documentThatIsNoneIsRefusedAndNothingIsSet(String subresource, String root, String content)
      throws IOException {
    String document = "<" + root + ">" + content + "</" + root + ">";

    RawResponse refused = wire.send("PUT", "/wire?" + subresource + "=", Map.of(), document);

    assertThat(refused.status()).as(refused.body()).isEqualTo(400);
    assertThat(refused.body()).contains("<Code>MalformedXML</Code>");
    assertThat(wire.send("GET", "/wire?" + subresource + "=", Map.of(), "").status())
        .isEqualTo(404);
  }

  @Test
  void settingsAreTheOwners() {
    assertRefused("AccessDenied", 403, () -> bob.getPublicAccessBlock(r -> r.bucket("alices")));
    assertRefused("AccessDenied", 403, () -> bob.deletePublicAccessBlock(r -> r.bucket("alices")));
    assertRefused(
        "AccessDenied", 403, () -> bob.getBucketOwnershipControls(r -> r.bucket("alices")));
    assertRefused(
        "AccessDenied", 403, () -> bob.deleteBucketOwnershipControls(r -> r.bucket("alices")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"public-read", "public-read-write", "authenticated-read"})
  void publicAclIsNotSetWhereItIsBlocked(String acl) {
    alice.putObject(r -> r.bucket("alices").key("there"), BODY);
    block(b -> b.blockPublicAcls(true));

    assertRefused("AccessDenied", 403, () -> alice.putBucketAcl(r -> r.bucket("alices").acl(acl)));
    assertRefused("AccessDenied", 403, () -> alice.createBucket(r -> r.bucket("alices").acl(acl)));
    assertRefused(
        "AccessDenied",
        403,
        () -> alice.putObjectAcl(r -> r.bucket("alices").key("there").acl(acl)));
    assertRefused(
        "AccessDenied",
        403,
        () -> alice.putObject(r -> r.bucket("alices").key("k").acl(acl), BODY));
    assertRefused(
        "AccessDenied",
        403,
        () -> alice.createMultipartUpload(r -> r.bucket("alices").key("k").acl(acl)));
    assertRefused(
        "AccessDenied",
        403,
        () ->
            alice.copyObject(r ->
                r.sourceBucket("alices")
                    .sourceKey("there")
                    .destinationBucket("alices")
                    .destinationKey("k")
                    .acl(acl)));
    alice.putObject(r -> r.bucket("alices").key("k").acl("private"), BODY);
    alice.putBucketAcl(r -> r.bucket("alices").acl("private"));
  }

  @Test
  void publicAclAllowsNothingWhereItIsIgnoredUntilItIsNotAnyMore() {
    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read-write"));
    alice.putObject(r -> r.bucket("alices").key("k").acl(ObjectCannedACL.PUBLIC_READ), BODY);
    block(b -> b.ignorePublicAcls(true));

    for (S3Client stranger : List.of(bob, anybody)) {
      assertRefused("AccessDenied", 403, () -> stranger.listObjectsV2(r -> r.bucket("alices")));
      assertRefused(
          "AccessDenied", 403, () -> stranger.getObject(r -> r.bucket("alices").key("k")));
      assertRefused(
          "AccessDenied", 403, () -> stranger.headObject(r -> r.bucket("alices").key("k")));
      assertRefused(
          "AccessDenied", 403, () -> stranger.putObject(r -> r.bucket("alices").key("n"), BODY));
    }
    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants()).hasSize(3);

    alice.deletePublicAccessBlock(r -> r.bucket("alices"));
    assertThat(anybody.getObjectAsBytes(r -> r.bucket("alices").key("k")).asUtf8String())
        .isEqualTo("content");
  }

  @Test
  void publicPolicyIsNotSetWhereItIsBlocked() {
    block(b -> b.blockPublicPolicy(true));

    assertRefused("AccessDenied", 403, () -> setPolicy(allow("*", "s3:GetObject")));
    assertRefused("NoSuchBucketPolicy", 404, () -> alice.getBucketPolicy(r -> r.bucket("alices")));
    setPolicy(allow("bob", "s3:GetObject"));
  }

  @Test
  void publicPolicyAllowsNothingWhereTheBucketIsRestricted() {
    alice.putObject(r -> r.bucket("alices").key("k"), BODY);
    setPolicy(allow("*", "s3:GetObject"), allow("bob", "s3:ListBucket"));
    assertThat(anybody.headObject(r -> r.bucket("alices").key("k")).contentLength()).isEqualTo(7);
    block(b -> b.restrictPublicBuckets(true));

    for (S3Client stranger : List.of(bob, anybody)) {
      assertRefused(
          "AccessDenied", 403, () -> stranger.getObject(r -> r.bucket("alices").key("k")));
      assertRefused("AccessDenied", 403, () -> stranger.listObjectsV2(r -> r.bucket("alices")));
    }
    assertThat(alice.getObjectAsBytes(r -> r.bucket("alices").key("k")).asUtf8String())
        .isEqualTo("content");

    setPolicy(allow("bob", "s3:ListBucket"));
    assertThat(bob.listObjectsV2(r -> r.bucket("alices")).contents()).hasSize(1);
  }

  @Test
  void ownershipIsReadAsItWasPutAndGoneWhenDeleted() {
    for (ObjectOwnership ownership : ObjectOwnership.knownValues()) {
      own(ownership);
      assertThat(ownership()).containsExactly(ownership);
    }
    alice.deleteBucketOwnershipControls(r -> r.bucket("alices"));
    assertRefused("OwnershipControlsNotFoundError", 404, this::ownership);
    alice.deleteBucketOwnershipControls(r -> r.bucket("alices"));
  }

  @Test
  void aclsAreDisabledWhereTheBucketsOwnerOwnsEverything() {
    alice.putObject(r -> r.bucket("alices").key("open").acl(ObjectCannedACL.PUBLIC_READ), BODY);
    own(ObjectOwnership.BUCKET_OWNER_ENFORCED);

    assertRefused("AccessDenied", 403, () -> bob.getObject(r -> r.bucket("alices").key("open")));
    assertThat(alice.getObjectAcl(r -> r.bucket("alices").key("open")).grants()).hasSize(1);
    for (String acl : List.of("private", "public-read", "bucket-owner-read")) {
      assertRefused(
          "AccessControlListNotSupported",
          400,
          () -> alice.putObject(r -> r.bucket("alices").key("k").acl(acl), BODY));
      assertRefused(
          "AccessControlListNotSupported",
          400,
          () -> alice.createMultipartUpload(r -> r.bucket("alices").key("k").acl(acl)));
      assertRefused(
          "AccessControlListNotSupported",
          400,
          () -> alice.putObjectAcl(r -> r.bucket("alices").key("open").acl(acl)));
    }
    assertRefused(
        "AccessControlListNotSupported",
        400,
        () -> alice.putBucketAcl(r -> r.bucket("alices").acl("private")));
    alice.putObject(r -> r.bucket("alices").key("k"), BODY);
    alice.putObject(r -> r.bucket("alices").key("k").acl("bucket-owner-full-control"), BODY);

    own(ObjectOwnership.BUCKET_OWNER_PREFERRED);
    assertThat(bob.headObject(r -> r.bucket("alices").key("open")).contentLength()).isEqualTo(7);
    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read"));
    assertRefused(
        "InvalidBucketAclWithObjectOwnership",
        400,
        () -> own(ObjectOwnership.BUCKET_OWNER_ENFORCED));
  }

  @Test
  void bucketIsCreatedWithAnOwnership() {
    alice.createBucket(
        r -> r.bucket("owned").objectOwnership(ObjectOwnership.BUCKET_OWNER_ENFORCED));
    assertRefused(
        "AccessControlListNotSupported",
        400,
        () -> alice.putBucketAcl(r -> r.bucket("owned").acl("private")));

    assertRefused(
        "InvalidBucketAclWithObjectOwnership",
        400,
        () ->
            alice.createBucket(r ->
                r.bucket("never")
                    .acl("public-read")
                    .objectOwnership(ObjectOwnership.BUCKET_OWNER_ENFORCED)));
    assertRefused(
        "InvalidArgument",
        400,
        () -> alice.createBucket(r -> r.bucket("never").objectOwnership("Nobody")));
    assertThat(alice.listBuckets().buckets()).noneMatch(bucket -> bucket.name().equals("never"));
  }

  @Test
  void bucketThatIsCreatedAgainGetsNoPublicAclWhereAclsAreDisabled() {
    own(ObjectOwnership.BUCKET_OWNER_ENFORCED);

    assertRefused(
        "InvalidBucketAclWithObjectOwnership",
        400,
        () -> alice.createBucket(r -> r.bucket("alices").acl("public-read")));
    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants()).hasSize(1);
    own(ObjectOwnership.OBJECT_WRITER);
    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants()).hasSize(1);

    own(ObjectOwnership.BUCKET_OWNER_ENFORCED);
    alice.createBucket(
        r -> r.bucket("alices").acl("public-read").objectOwnership(ObjectOwnership.OBJECT_WRITER));
    assertThat(ownership()).containsExactly(ObjectOwnership.OBJECT_WRITER);
    assertThat(alice.getBucketAcl(r -> r.bucket("alices")).grants()).hasSize(2);
  }

  @Test
  void refusedAclLeavesTheOwnershipOfABucketThatIsCreatedAgain() {
    own(ObjectOwnership.OBJECT_WRITER);
    block(b -> b.blockPublicAcls(true));

    assertRefused(
        "AccessDenied",
        403,
        () ->
            alice.createBucket(r ->
                r.bucket("alices")
                    .acl("public-read")
                    .objectOwnership(ObjectOwnership.BUCKET_OWNER_PREFERRED)));
    assertThat(ownership()).containsExactly(ObjectOwnership.OBJECT_WRITER);
  }

  @Test
  void bucketWithANameThatIsNoLongerGivenMayBeCreatedAgain() throws IOException {
    wire.gateway()
        .submit(new Command.CreateBucket(1, "old-.name", "alice-id", BucketSettings.PRIMARY));

    assertThat(wire.send("PUT", "/old-.name", Map.of(), "").status()).isEqualTo(200);

    RawResponse refused = wire.send("PUT", "/new-.name", Map.of(), "");
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.body()).contains("InvalidBucketName");
  }
}
