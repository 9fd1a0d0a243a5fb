package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Error;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.TaggingDirective;

/** What policies allow and deny. */
class PolicyTest {
  private GatewayFixture gateway;
  private S3Client alice;
  private S3Client bob;
  private S3Client admin;
  private S3Client anybody;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture();
    alice = gateway.client(GatewayFixture.ALICE);
    bob = gateway.client(GatewayFixture.BOB);
    admin = gateway.client(GatewayFixture.ADMIN);
    anybody = gateway.anonymous();
    alice.createBucket(r -> r.bucket("alices"));
    bob.createBucket(r -> r.bucket("bobs"));
    for (String key : List.of("open/a", "open/b", "closed/a", "top")) {
      alice.putObject(r -> r.bucket("alices").key(key), RequestBody.fromString("of " + key));
    }
  }

  @AfterEach
  void stop() {
    alice.close();
    bob.close();
    admin.close();
    anybody.close();
    gateway.close();
  }

  private void set(String... statements) {
    String policy =
        Arrays.stream(statements).collect(Collectors.joining(",", "{'Statement':[", "]}"));
    alice.putBucketPolicy(r -> r.bucket("alices").policy(policy.replace('\'', '"')));
  }

  private static String allow(String principal, String action, String resource) {
    return statement("Allow", principal, action, resource, "{}");
  }

  private static String deny(String principal, String action, String resource) {
    return statement("Deny", principal, action, resource, "{}");
  }

  private static String statement(
      String effect, String principal, String action, String resource, String condition) {
    return "{'Effect':'"
        + effect
        + "','Principal':{'AWS':'"
        + principal
        + "'},'Action':['"
        + action.replace(" ", "','")
        + "'],'Resource':'arn:aws:s3:::alices"
        + resource
        + "','Condition':"
        + condition
        + "}";
  }

  private static String get(S3Client reader, String key) {
    return reader.getObjectAsBytes(r -> r.bucket("alices").key(key)).asUtf8String();
  }

  private static void assertDenied(Runnable call) {
    assertRefused("AccessDenied", 403, call::run);
  }

  @Test
  void everybodyMayReadBelowAPrefixThatIsOpen() {
    set(allow("*", "s3:GetObject", "/open/*"));

    assertThat(get(anybody, "open/a")).isEqualTo("of open/a");
    assertThat(get(bob, "open/b")).isEqualTo("of open/b");
    assertDenied(() -> get(anybody, "closed/a"));
    assertDenied(() -> get(anybody, "open/none"));
    assertDenied(() -> anybody.listObjectsV2(r -> r.bucket("alices")));
    assertDenied(() ->
        anybody.putObject(r -> r.bucket("alices").key("open/c"), RequestBody.fromString("x")));
    assertDenied(() -> anybody.getObjectTagging(r -> r.bucket("alices").key("open/a")));
  }

  @Test
  void keyThatIsMissingIsToldToThoseWhoMayList() {
    set(allow("*", "s3:GetObject", "/*"), allow("*", "s3:ListBucket", ""));

    assertRefused("NoSuchKey", 404, () -> get(anybody, "none"));
  }

  @Test
  void userIsNamedByIdByNameOrByArn() {
    for (String principal : List.of("bob", "bob-id", "arn:aws:iam::123456789012:user/staff/bob")) {
      set(allow(principal, "s3:GetObject", "/*"));
      assertThat(get(bob, "top")).isEqualTo("of top");
      assertDenied(() -> get(anybody, "top"));
    }
    gateway.addUser("carol", false, "CAROLKEY");
    try (S3Client carol = gateway.client("CAROLKEY")) {
      assertDenied(() -> get(carol, "top"));
    }
  }

  @Test
  void denialWinsOverTheOwnerToo() {
    set(allow("*", "s3:*", "/*"), deny("*", "s3:GetObject", "/closed/*"));

    for (S3Client reader : List.of(anybody, bob, alice, admin)) {
      assertThat(get(reader, "top")).isEqualTo("of top");
      assertDenied(() -> get(reader, "closed/a"));
      assertDenied(() -> reader.headObject(r -> r.bucket("alices").key("closed/a")));
    }
  }

  @Test
  void ownerWhoDeniedEverythingCanTakeItBack() {
    set(deny("*", "s3:*", "*"));

    assertDenied(() -> get(alice, "top"));
    assertDenied(() -> alice.listObjectsV2(r -> r.bucket("alices")));
    assertDenied(() -> alice.deleteBucketCors(r -> r.bucket("alices")));
    assertThat(admin.getBucketPolicy(r -> r.bucket("alices")).policy()).contains("Deny");
    assertDenied(() -> bob.deleteBucketPolicy(r -> r.bucket("alices")));
    set(deny("*", "s3:PutObject", "/*"));
    assertThat(get(alice, "top")).isEqualTo("of top");
    set(deny("*", "s3:*", "*"));
    alice.deleteBucketPolicy(r -> r.bucket("alices"));
    assertThat(get(alice, "top")).isEqualTo("of top");
  }

  @Test
  void policyIsNotForThoseToSeeOrChangeWhomItAllowsEverything() {
    set(allow("*", "s3:*", "*"));

    for (S3Client other : List.of(anybody, bob)) {
      assertThat(get(other, "top")).isEqualTo("of top");
      assertDenied(() -> other.getBucketPolicy(r -> r.bucket("alices")));
      assertDenied(() ->
          other.putBucketPolicy(r ->
              r.bucket("alices")
                  .policy(
                      ("{'Statement':[" + allow("bob", "s3:*", "*") + "]}").replace('\'', '"'))));
      assertDenied(() -> other.deleteBucketPolicy(r -> r.bucket("alices")));
    }
    assertThat(alice.getBucketPolicy(r -> r.bucket("alices")).policy()).contains("s3:*");
  }

  @Test
  void denialWinsOverAclsAndSettings() {
    gateway.submit(
        new Command.SetBucket(
            1, "alices", Optional.empty(), BucketSettings.PRIMARY.withAnonymousRead(true), 0));
    alice.putBucketAcl(r -> r.bucket("alices").acl("public-read"));
    alice.putObject(
        r -> r.bucket("alices").key("public").acl("public-read"), RequestBody.fromString("x"));
    assertThat(get(anybody, "public")).isEqualTo("x");

    set(deny("*", "s3:ListBucket", ""), deny("*", "s3:GetObject", "/public"));

    assertThat(get(anybody, "top")).isEqualTo("of top");
    assertDenied(() -> get(anybody, "public"));
    assertDenied(() -> anybody.listObjects(r -> r.bucket("alices")));
  }

  @Test
  void listingIsAllowedByItsPrefix() {
    set(
        statement(
            "Allow", "*", "s3:ListBucket", "", "{'StringLike':{'s3:prefix':['open/*','op']}}"),
        statement("Allow", "bob", "s3:ListBucket", "", "{'StringEquals':{'s3:prefix':''}}"));

    assertThat(anybody.listObjectsV2(r -> r.bucket("alices").prefix("open/")).contents())
        .hasSize(2);
    assertThat(anybody.listObjects(r -> r.bucket("alices").prefix("op")).contents()).hasSize(2);
    assertDenied(() -> anybody.listObjectsV2(r -> r.bucket("alices").prefix("ope")));
    assertDenied(() -> anybody.listObjectsV2(r -> r.bucket("alices")));
    assertDenied(() -> bob.listObjectsV2(r -> r.bucket("alices")));
    assertThat(bob.listObjectsV2(r -> r.bucket("alices").prefix("")).contents()).hasSize(4);
    assertDenied(() -> bob.listObjectsV2(r -> r.bucket("alices").prefix("closed/")));
    assertDenied(() -> bob.headBucket(r -> r.bucket("alices")));
  }

  @Test
  void connectionsAddressDecides() {
    set(
        statement(
            "Allow", "*", "s3:GetObject", "/*", "{'IpAddress':{'aws:SourceIp':'127.0.0.0/8'}}"));
    assertThat(get(anybody, "top")).isEqualTo("of top");

    set(
        statement(
            "Allow",
            "*",
            "s3:GetObject",
            "/*",
            "{'IpAddress':{'aws:SourceIp':['10.0.0.0/8','::/0','127.0.0.2/32']}}"));
    assertDenied(() -> get(anybody, "top"));

    set(statement("Deny", "*", "s3:GetObject", "/*", "{'IpAddress':{'aws:SourceIp':'0.0.0.0/0'}}"));
    assertDenied(() -> get(alice, "top"));
  }

  @Test
  void writerNeedsLeaveForTagsAndAclsThatComeAlong() {
    set(allow("bob", "s3:PutObject", "/in/*"));

    bob.putObject(r -> r.bucket("alices").key("in/a"), RequestBody.fromString("x"));
    assertDenied(() ->
        bob.putObject(
            r -> r.bucket("alices").key("in/b").tagging("k=v"), RequestBody.fromString("x")));
    assertDenied(() ->
        bob.putObject(
            r -> r.bucket("alices").key("in/b").acl("public-read"), RequestBody.fromString("x")));
    assertDenied(
        () -> bob.createMultipartUpload(r -> r.bucket("alices").key("in/b").tagging("k=v")));
    assertDenied(
        () -> bob.putObject(r -> r.bucket("alices").key("out"), RequestBody.fromString("x")));

    set(allow("bob", "s3:PutObject s3:PutObjectTagging s3:PutObjectAcl", "/in/*"));
    bob.putObject(
        r -> r.bucket("alices").key("in/b").tagging("k=v").acl("public-read"),
        RequestBody.fromString("of b"));

    assertThat(alice.getObjectTagging(r -> r.bucket("alices").key("in/b")).tagSet())
        .containsExactly(Tag.builder().key("k").value("v").build());
    assertThat(get(anybody, "in/b")).isEqualTo("of b");
    assertThat(alice.listObjects(r -> r.bucket("alices").prefix("in/b")).contents())
        .allMatch(object -> object.owner().id().equals("alice-id"));
  }

  @Test
  void writerWhoMayNotReadIsNotToldWhetherTheContentIsWhatItGuessed() {
    String etag = alice.headObject(r -> r.bucket("alices").key("top")).eTag();
    set(allow("bob", "s3:PutObject", "/*"));

    for (String guess : List.of(etag, "another")) {
      assertDenied(() ->
          bob.putObject(
              r -> r.bucket("alices").key("top").ifMatch(guess), RequestBody.fromString("x")));
      assertDenied(() ->
          bob.putObject(
              r -> r.bucket("alices").key("top").ifNoneMatch(guess), RequestBody.fromString("x")));
    }
    Refusals.assertRefused(
        "PreconditionFailed",
        412,
        () ->
            bob.putObject(
                r -> r.bucket("alices").key("top").ifNoneMatch("*"), RequestBody.fromString("x")));
    assertThat(get(alice, "top")).isEqualTo("of top");
    set(allow("bob", "s3:PutObject s3:GetObject", "/*"));
    bob.putObject(r -> r.bucket("alices").key("top").ifMatch(etag), RequestBody.fromString("new"));
    assertThat(get(alice, "top")).isEqualTo("new");
  }

  @Test
  void prefixThatNoKeyCanHaveIsNotHeldAgainstPatterns() {
    set(statement("Allow", "*", "s3:ListBucket", "", "{'StringLike':{'s3:prefix':'*a*'}}"));

    assertThat(anybody.listObjectsV2(r -> r.bucket("alices").prefix("a".repeat(1024))).contents())
        .isEmpty();
    assertRefused(
        "KeyTooLongError",
        400,
        () -> anybody.listObjectsV2(r -> r.bucket("alices").prefix("a".repeat(1025))));
  }

  @Test
  void uploadThatAnotherBeganNeedsPutAndItsOwnLeaveToListAndAbort() {
    set(allow("bob", "s3:PutObject", "/in/*"));
    String id = alice.createMultipartUpload(r -> r.bucket("alices").key("in/a")).uploadId();
    bob.uploadPart(
        r -> r.bucket("alices").key("in/a").uploadId(id).partNumber(1),
        RequestBody.fromString("x"));

    assertDenied(() -> bob.listParts(r -> r.bucket("alices").key("in/a").uploadId(id)));
    assertDenied(() -> bob.abortMultipartUpload(r -> r.bucket("alices").key("in/a").uploadId(id)));
    assertDenied(() -> bob.listMultipartUploads(r -> r.bucket("alices")));

    set(
        allow("bob", "s3:AbortMultipartUpload s3:ListMultipartUploadParts", "/in/*"),
        allow("bob", "s3:ListBucketMultipartUploads", ""));
    assertThat(bob.listParts(r -> r.bucket("alices").key("in/a").uploadId(id)).parts()).hasSize(1);
    assertThat(bob.listMultipartUploads(r -> r.bucket("alices")).uploads()).hasSize(1);
    bob.abortMultipartUpload(r -> r.bucket("alices").key("in/a").uploadId(id));
  }

  @Test
  void copyNeedsLeaveToReadItsSource() {
    set(allow("bob", "s3:GetObject", "/open/*"));

    bob.copyObject(r ->
        r.sourceBucket("alices")
            .sourceKey("open/a")
            .destinationBucket("bobs")
            .destinationKey("copy"));

    assertThat(bob.getObjectAsBytes(r -> r.bucket("bobs").key("copy")).asUtf8String())
        .isEqualTo("of open/a");
    for (String refused : List.of("closed/a", "open/none")) {
      assertDenied(() ->
          bob.copyObject(r ->
              r.sourceBucket("alices")
                  .sourceKey(refused)
                  .destinationBucket("bobs")
                  .destinationKey("copy")));
    }
    set(deny("alice", "s3:GetObject", "/top"));
    assertDenied(() ->
        alice.copyObject(r ->
            r.sourceBucket("alices")
                .sourceKey("top")
                .destinationBucket("alices")
                .destinationKey("copy")));
  }

  @Test
  void copyTakesAlongNoTagsThatItsMakerMayNotRead() {
    alice.putObject(
        r -> r.bucket("alices").key("tagged").tagging("k=secret"), RequestBody.fromString("x"));
    set(allow("bob", "s3:GetObject", "/*"));

    assertDenied(() -> copyByBob("alices", "bobs", TaggingDirective.COPY));
    assertRefused("NoSuchKey", 404, () -> bob.headObject(r -> r.bucket("bobs").key("tagged")));
    copyByBob("alices", "bobs", TaggingDirective.REPLACE);
    assertThat(bob.getObjectTagging(r -> r.bucket("bobs").key("tagged")).tagSet()).isEmpty();

    set(allow("bob", "s3:GetObject s3:GetObjectTagging", "/*"));
    copyByBob("alices", "bobs", TaggingDirective.COPY);
    assertThat(bob.getObjectTagging(r -> r.bucket("bobs").key("tagged")).tagSet()).hasSize(1);
  }

  @Test
  void copyTakesAlongNoTagsThatItsMakerMayNotSet() {
    bob.putObject(r -> r.bucket("bobs").key("tagged").tagging("k=v"), RequestBody.fromString("x"));
    set(allow("bob", "s3:PutObject", "/*"));

    assertDenied(() -> copyByBob("bobs", "alices", TaggingDirective.COPY));
    copyByBob("bobs", "alices", TaggingDirective.REPLACE);

    set(allow("bob", "s3:PutObject s3:PutObjectTagging", "/*"));
    copyByBob("bobs", "alices", TaggingDirective.COPY);
    assertThat(alice.getObjectTagging(r -> r.bucket("alices").key("tagged")).tagSet()).hasSize(1);
  }

  private void copyByBob(String from, String to, TaggingDirective tags) {
    bob.copyObject(r ->
        r.sourceBucket(from)
            .sourceKey("tagged")
            .destinationBucket(to)
            .destinationKey("tagged")
            .taggingDirective(tags));
  }

  @Test
  void readerWhoMayNotReadTagsIsNotToldHowManyThereAre() {
    alice.putObject(
        r -> r.bucket("alices").key("tagged").tagging("k=v"), RequestBody.fromString("x"));
    set(allow("*", "s3:GetObject", "/*"), allow("bob", "s3:GetObjectTagging", "/*"));

    assertThat(anybody.headObject(r -> r.bucket("alices").key("tagged")).tagCount()).isNull();
    assertThat(bob.headObject(r -> r.bucket("alices").key("tagged")).tagCount()).isEqualTo(1);
    assertThat(alice.headObject(r -> r.bucket("alices").key("tagged")).tagCount()).isEqualTo(1);
  }

  @Test
  void keysOfOneRequestAreDeletedOrRefusedOneByOne() {
    set(allow("bob", "s3:DeleteObject", "/open/*"), deny("*", "s3:DeleteObject", "/open/b"));

    for (S3Client deleting : List.of(bob, alice)) {
      DeleteObjectsResponse answer = deleteAll(deleting, "open/a", "open/b");
      assertThat(answer.deleted()).extracting(deleted -> deleted.key()).containsExactly("open/a");
      assertThat(answer.errors()).extracting(S3Error::key).containsExactly("open/b");
      assertThat(answer.errors()).extracting(S3Error::code).containsExactly("AccessDenied");
    }
    assertThat(deleteAll(anybody, "open/b", "top").errors()).hasSize(2);
    assertThat(deleteAll(bob, "top").errors()).hasSize(1);
    assertThat(alice.listObjects(r -> r.bucket("alices")).contents()).hasSize(3);
  }

  private static DeleteObjectsResponse deleteAll(S3Client deleting, String... keys) {
    List<ObjectIdentifier> objects =
        Arrays.stream(keys).map(key -> ObjectIdentifier.builder().key(key).build()).toList();
    return deleting.deleteObjects(r -> r.bucket("alices").delete(d -> d.objects(objects)));
  }

  @Test
  void versionThatIsNamedNeedsItsOwnLeave() {
    set(allow("*", "s3:GetObject", "/*"));
    assertDenied(
        () -> anybody.getObjectAsBytes(r -> r.bucket("alices").key("top").versionId("null")));

    set(allow("*", "s3:GetObjectVersion", "/*"));
    assertThat(
            anybody
                .getObjectAsBytes(r -> r.bucket("alices").key("top").versionId("null"))
                .asUtf8String())
        .isEqualTo("of top");
    assertDenied(() -> get(anybody, "top"));
  }

  @Test
  void policyOfABucketIsNotThatOfTheNextOneOfItsName() {
    set(allow("*", "s3:*", "*"));
    for (String key : List.of("open/a", "open/b", "closed/a", "top")) {
      alice.deleteObject(r -> r.bucket("alices").key(key));
    }
    anybody.deleteBucket(r -> r.bucket("alices"));
    alice.createBucket(r -> r.bucket("alices"));

    assertDenied(() -> anybody.listObjects(r -> r.bucket("alices")));
  }
}
