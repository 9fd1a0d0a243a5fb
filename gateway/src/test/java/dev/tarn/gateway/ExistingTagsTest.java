package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Command;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.gateway.http.GatewayLimits;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.Delete;
import software.amazon.awssdk.services.s3.model.ObjectAttributes;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;
import software.amazon.awssdk.services.s3.model.Tagging;
import software.amazon.awssdk.services.s3.model.TaggingDirective;

/** Conditions of policies on the tags of the object that exists. */
class ExistingTagsTest {
  private static final String BUCKET = "alices";
  private static final String OPEN = "secrecy=open";
  private static final String CLOSED = "secrecy=closed";
  private static final String IS_OPEN = "'StringEquals':{'s3:ExistingObjectTag/secrecy':'open'}";
  private static final String IS_CLOSED =
      "'StringEquals':{'s3:ExistingObjectTag/secrecy':'closed'}";

  private final List<TargetRequest<?>> calls = new CopyOnWriteArrayList<>();
  private volatile Runnable beforeNextChange = () -> {};
  private GatewayFixture gateway;
  private S3Client alice;
  private S3Client bob;

  @BeforeEach
  void start() {
    gateway = new GatewayFixture(GatewayLimits.DEFAULT, WatchedTarget::new);
    alice = gateway.client(GatewayFixture.ALICE);
    bob = gateway.client(GatewayFixture.BOB);
    alice.createBucket(r -> r.bucket(BUCKET));
    bob.createBucket(r -> r.bucket("bobs"));
    put("open", OPEN);
    put("closed", CLOSED);
    put("untagged", "");
  }

  @AfterEach
  void stop() {
    assertThat(gateway.memory().openBodies()).isZero();
    alice.close();
    bob.close();
    gateway.close();
  }

  /** Records the calls, and lets the test act before a change of tags or of an ACL. */
  private final class WatchedTarget extends ForwardingTarget {
    WatchedTarget(ObjectTarget target) {
      super(target);
    }

    @Override
    public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
      calls.add(request);
      if (request instanceof TargetRequest.SetTags || request instanceof TargetRequest.SetAcl) {
        Runnable act = beforeNextChange;
        beforeNextChange = () -> {};
        act.run();
      }
      return super.call(request, body);
    }
  }

  private String put(String key, String tags) {
    return alice
        .putObject(r -> r.bucket(BUCKET).key(key).tagging(tags), RequestBody.fromString("content"))
        .eTag();
  }

  private static String statement(String effect, String principal, String actions, String when) {
    return ("{'Effect':'%s','Principal':{'AWS':'%s'},'Action':[%s],'Resource':"
            + "['arn:aws:s3:::alices','arn:aws:s3:::alices/*']%s}")
        .formatted(effect, principal, actions, when.isEmpty() ? "" : ",'Condition':{" + when + "}")
        .replace('\'', '"');
  }

  private static String allow(String actions, String when) {
    return statement("Allow", "bob", actions, when);
  }

  private static String deny(String actions, String when) {
    return statement("Deny", "*", actions, when);
  }

  private void set(String... statements) {
    alice.putBucketPolicy(
        r -> r.bucket(BUCKET).policy("{\"Statement\":[" + String.join(",", statements) + "]}"));
    calls.clear();
  }

  private static int statusOf(Runnable call) {
    try {
      call.run();
      return 200;
    } catch (S3Exception e) {
      return e.statusCode();
    }
  }

  private static int get(S3Client reader, String key) {
    return statusOf(() -> reader.getObjectAsBytes(r -> r.bucket(BUCKET).key(key)));
  }

  private static Tagging tagging(String value) {
    return Tagging.builder().tagSet(Tag.builder().key("secrecy").value(value).build()).build();
  }

  private int tag(S3Client writer, String key) {
    return statusOf(
        () -> writer.putObjectTagging(r -> r.bucket(BUCKET).key(key).tagging(tagging("new"))));
  }

  private int copy(String key, TaggingDirective directive) {
    return statusOf(() -> copied(key, directive));
  }

  private CopyObjectResponse copied(String key, TaggingDirective directive) {
    return bob.copyObject(r ->
        r.sourceBucket(BUCKET)
            .sourceKey(key)
            .destinationBucket("bobs")
            .destinationKey("copy")
            .taggingDirective(directive));
  }

  @Test
  void readIsAllowedByTheTagsOfTheObject() {
    set(allow("'s3:GetObject'", IS_OPEN));

    assertThat(get(bob, "open")).isEqualTo(200);
    assertThat(get(bob, "closed")).isEqualTo(403);
    assertThat(get(bob, "untagged")).isEqualTo(403);
    assertThat(get(bob, "missing")).isEqualTo(403);
    assertThat(get(alice, "closed")).isEqualTo(200);
    assertThat(get(gateway.anonymous(), "open")).isEqualTo(403);
  }

  @Test
  void readIsDeniedByTheTagsOfTheObjectToItsOwnerToo() {
    set(allow("'s3:GetObject'", ""), deny("'s3:GetObject'", IS_CLOSED));

    for (S3Client reader : List.of(alice, bob)) {
      assertThat(get(reader, "open")).isEqualTo(200);
      assertThat(get(reader, "untagged")).isEqualTo(200);
      assertThat(get(reader, "closed")).isEqualTo(403);
    }
    assertThat(get(alice, "missing")).isEqualTo(404);
    assertThat(get(bob, "missing")).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"open", "closed"})
  void headRangeAndConditionsTellOnlyWhatTheTagsAllow(String key) {
    String etag = put(key, "secrecy=" + key);
    set(allow("'s3:GetObject'", IS_OPEN));
    boolean open = key.equals("open");

    assertThat(statusOf(() -> bob.headObject(r -> r.bucket(BUCKET).key(key))))
        .isEqualTo(open ? 200 : 403);
    assertThat(
            statusOf(() -> bob.getObjectAsBytes(r -> r.bucket(BUCKET).key(key).range("bytes=1-2"))))
        .isEqualTo(open ? 200 : 403);
    assertThat(
            statusOf(() -> bob.getObjectAsBytes(r -> r.bucket(BUCKET).key(key).range("bytes=99-"))))
        .isEqualTo(open ? 416 : 403);
    assertThat(statusOf(() -> bob.getObject(r -> r.bucket(BUCKET).key(key).ifNoneMatch(etag))))
        .isEqualTo(open ? 304 : 403);
    assertThat(statusOf(() -> bob.headObject(r -> r.bucket(BUCKET).key(key).ifNoneMatch(etag))))
        .isEqualTo(open ? 304 : 403);
    assertThat(statusOf(() -> bob.getObject(r -> r.bucket(BUCKET).key(key).ifMatch("other"))))
        .isEqualTo(open ? 412 : 403);
  }

  @Test
  void versionIsReadByItsOwnTags() {
    alice.putBucketVersioning(r ->
        r.bucket(BUCKET).versioningConfiguration(v -> v.status(BucketVersioningStatus.ENABLED)));
    String closed =
        alice
            .putObject(
                r -> r.bucket(BUCKET).key("k").tagging(CLOSED), RequestBody.fromString("old"))
            .versionId();
    put("k", OPEN);
    set(allow("'s3:GetObject','s3:GetObjectVersion'", IS_OPEN));

    assertThat(get(bob, "k")).isEqualTo(200);
    assertThat(statusOf(() -> bob.getObject(r -> r.bucket(BUCKET).key("k").versionId(closed))))
        .isEqualTo(403);

    alice.deleteObject(r -> r.bucket(BUCKET).key("k"));
    assertThat(get(bob, "k")).isEqualTo(403);
  }

  @Test
  void attributesTagsAndAclAreShownByTheTags() {
    set(
        allow(
            "'s3:GetObject','s3:GetObjectAttributes','s3:GetObjectTagging','s3:GetObjectAcl'",
            IS_OPEN));

    for (String key : List.of("open", "closed", "missing")) {
      int expected = key.equals("open") ? 200 : 403;
      assertThat(
              statusOf(() ->
                  bob.getObjectAttributes(
                      r -> r.bucket(BUCKET).key(key).objectAttributes(ObjectAttributes.E_TAG))))
          .isEqualTo(expected);
      assertThat(statusOf(() -> bob.getObjectTagging(r -> r.bucket(BUCKET).key(key))))
          .isEqualTo(expected);
      assertThat(statusOf(() -> bob.getObjectAcl(r -> r.bucket(BUCKET).key(key))))
          .isEqualTo(expected);
    }
  }

  @Test
  void numberOfTagsIsShownToWhoMayReadThem() {
    set(allow("'s3:GetObject'", ""), allow("'s3:GetObjectTagging'", IS_OPEN));

    assertThat(bob.headObject(r -> r.bucket(BUCKET).key("open")).tagCount()).isEqualTo(1);
    assertThat(bob.headObject(r -> r.bucket(BUCKET).key("closed")).tagCount()).isNull();
  }

  @Test
  void tagsAndAclAreChangedByTheTags() {
    set(allow("'s3:PutObjectTagging','s3:DeleteObjectTagging','s3:PutObjectAcl'", IS_OPEN));

    for (String key : List.of("closed", "untagged", "missing")) {
      assertThat(tag(bob, key)).isEqualTo(403);
      assertThat(statusOf(() -> bob.deleteObjectTagging(r -> r.bucket(BUCKET).key(key))))
          .isEqualTo(403);
      assertThat(
              statusOf(() ->
                  bob.putObjectAcl(
                      r -> r.bucket(BUCKET).key(key).acl(ObjectCannedACL.PUBLIC_READ))))
          .isEqualTo(403);
    }
    bob.putObjectAcl(r -> r.bucket(BUCKET).key("open").acl(ObjectCannedACL.PUBLIC_READ));
    assertThat(get(gateway.anonymous(), "open")).isEqualTo(200);
    assertThat(tag(bob, "open")).isEqualTo(200);
    assertThat(tag(bob, "open")).isEqualTo(403);
    put("open", OPEN);
    bob.deleteObjectTagging(r -> r.bucket(BUCKET).key("open"));
    assertThat(alice.getObjectTagging(r -> r.bucket(BUCKET).key("open")).tagSet()).isEmpty();
  }

  @Test
  void changeIsDeniedByTheTagsToTheOwnerToo() {
    set(deny("'s3:PutObjectTagging'", IS_CLOSED));

    assertThat(tag(alice, "closed")).isEqualTo(403);
    assertThat(tag(alice, "open")).isEqualTo(200);
    assertThat(tag(alice, "missing")).isEqualTo(404);
  }

  @Test
  void objectThatReplacesTheJudgedOneIsJudgedItself() {
    set(allow("'s3:PutObjectTagging','s3:PutObjectAcl'", IS_OPEN));

    beforeNextChange = () -> put("open", CLOSED);
    assertThat(tag(bob, "open")).isEqualTo(403);
    assertThat(alice.getObjectTagging(r -> r.bucket(BUCKET).key("open")).tagSet())
        .containsExactly(Tag.builder().key("secrecy").value("closed").build());

    put("open", OPEN);
    beforeNextChange = () -> put("open", OPEN);
    assertThat(tag(bob, "open")).isEqualTo(200);
  }

  @Test
  void sourceOfACopyIsReadByItsTags() {
    set(allow("'s3:GetObject','s3:GetObjectTagging'", IS_OPEN));

    assertThat(copy("open", TaggingDirective.COPY)).isEqualTo(200);
    assertThat(bob.getObjectTagging(r -> r.bucket("bobs").key("copy")).tagSet()).hasSize(1);
    assertThat(copy("closed", TaggingDirective.COPY)).isEqualTo(403);
    assertThat(copy("closed", TaggingDirective.REPLACE)).isEqualTo(403);
    assertThat(copy("missing", TaggingDirective.REPLACE)).isEqualTo(403);

    String upload = bob.createMultipartUpload(r -> r.bucket("bobs").key("parts")).uploadId();
    for (String key : List.of("open", "closed", "missing")) {
      assertThat(
              statusOf(() ->
                  bob.uploadPartCopy(r ->
                      r.sourceBucket(BUCKET)
                          .sourceKey(key)
                          .destinationBucket("bobs")
                          .destinationKey("parts")
                          .uploadId(upload)
                          .partNumber(1))))
          .isEqualTo(key.equals("open") ? 200 : 403);
    }
  }

  @Test
  void copyTakesTagsThatTheCallerMayRead() {
    set(allow("'s3:GetObject'", ""), allow("'s3:GetObjectTagging'", IS_OPEN));

    assertThat(copy("open", TaggingDirective.COPY)).isEqualTo(200);
    assertThat(copy("untagged", TaggingDirective.COPY)).isEqualTo(200);
    assertThat(copy("closed", TaggingDirective.COPY)).isEqualTo(403);
    assertThat(copy("closed", TaggingDirective.REPLACE)).isEqualTo(200);
  }

  @Test
  void sourceOfACopyIsDeniedByItsTags() {
    set(deny("'s3:GetObject'", IS_CLOSED));

    for (String key : List.of("open", "closed")) {
      assertThat(
              statusOf(() ->
                  alice.copyObject(r ->
                      r.sourceBucket(BUCKET)
                          .sourceKey(key)
                          .destinationBucket(BUCKET)
                          .destinationKey("copy"))))
          .isEqualTo(key.equals("open") ? 200 : 403);
    }
  }

  @Test
  void writeUnderAnETagTellsOnlyWhatTheTagsAllow() {
    String etag = put("open", OPEN);
    set(
        allow("'s3:PutObject','s3:PutObjectTagging'", ""),
        allow("'s3:GetObject'", IS_OPEN),
        deny("'s3:GetObject'", IS_CLOSED));

    for (S3Client writer : List.of(alice, bob)) {
      assertThat(putIfMatch(writer, "open", "other")).isEqualTo(412);
      assertThat(putIfMatch(writer, "open", etag)).isEqualTo(200);
      assertThat(putIfMatch(writer, "closed", etag)).isEqualTo(403);
      assertThat(putIfMatch(writer, "closed", "other")).isEqualTo(403);
      assertThat(putIfMatch(writer, "missing", etag)).isEqualTo(writer.equals(alice) ? 404 : 403);
    }
  }

  private int putIfMatch(S3Client writer, String key, String etag) {
    return statusOf(() ->
        writer.putObject(
            r -> r.bucket(BUCKET).key(key).ifMatch(etag).tagging(OPEN),
            RequestBody.fromString("content")));
  }

  @Test
  void writesAndDeletesDoNotHaveTheKey() {
    set(
        allow("'s3:PutObject','s3:PutObjectTagging','s3:DeleteObject'", ""),
        deny("'s3:*'", IS_CLOSED));

    assertThat(
            statusOf(() ->
                bob.putObject(
                    r -> r.bucket(BUCKET).key("closed").tagging(CLOSED),
                    RequestBody.fromString("x"))))
        .isEqualTo(200);
    assertThat(tag(bob, "closed")).isEqualTo(403);
    bob.deleteObject(r -> r.bucket(BUCKET).key("closed"));
    put("closed", CLOSED);
    Delete both =
        Delete.builder()
            .objects(
                ObjectIdentifier.builder().key("closed").build(),
                ObjectIdentifier.builder().key("open").build())
            .build();
    assertThat(bob.deleteObjects(r -> r.bucket(BUCKET).delete(both)).errors()).isEmpty();
    assertThat(alice.listObjectsV2(r -> r.bucket(BUCKET)).contents()).hasSize(1);

    set(allow("'s3:PutObject','s3:PutObjectTagging'", IS_OPEN));
    put("open", OPEN);
    assertThat(
            statusOf(() ->
                bob.putObject(
                    r -> r.bucket(BUCKET).key("open").tagging(OPEN), RequestBody.fromString("x"))))
        .isEqualTo(403);
  }

  @Test
  void keyMayBeMissingOrOptional() {
    set(allow("'s3:GetObject'", "'Null':{'s3:ExistingObjectTag/secrecy':'true'}"));
    assertThat(get(bob, "untagged")).isEqualTo(200);
    assertThat(get(bob, "open")).isEqualTo(403);
    assertThat(get(bob, "missing")).isEqualTo(403);

    set(
        allow("'s3:GetObject'", "'StringLikeIfExists':{'s3:ExistingObjectTag/secrecy':'o*'}"),
        allow("'s3:ListBucket'", ""));
    assertThat(get(bob, "untagged")).isEqualTo(200);
    assertThat(get(bob, "open")).isEqualTo(200);
    assertThat(get(bob, "closed")).isEqualTo(403);
    assertThat(get(bob, "missing")).isEqualTo(404);
  }

  @Test
  void aclOfAnObjectAllowsWhatItsTagsDoNotDeny() {
    for (String key : List.of("open", "closed")) {
      alice.putObjectAcl(r -> r.bucket(BUCKET).key(key).acl(ObjectCannedACL.PUBLIC_READ));
    }
    set(deny("'s3:GetObject'", IS_CLOSED));

    try (S3Client anybody = gateway.anonymous()) {
      assertThat(get(anybody, "open")).isEqualTo(200);
      assertThat(get(anybody, "closed")).isEqualTo(403);
      assertThat(get(anybody, "untagged")).isEqualTo(403);
    }
  }

  @Test
  void requestsCostOneCallUnlessTheirChangeDependsOnTags() {
    set(
        statement("Allow", "alice", "'s3:GetObject'", IS_OPEN),
        allow("'s3:GetObject','s3:PutObjectTagging'", IS_OPEN));

    get(alice, "closed");
    get(bob, "open");
    get(bob, "closed");
    tag(alice, "closed");
    assertThat(calls)
        .extracting(call -> call.getClass().getSimpleName())
        .containsExactly("Get", "Get", "Get", "SetTags");

    calls.clear();
    tag(bob, "open");
    assertThat(calls)
        .extracting(call -> call.getClass().getSimpleName())
        .containsExactly("Head", "SetTags");
  }

  @Test
  void bucketWithABackendHasNoSuchPolicy() {
    BackendSettings backend =
        new BackendSettings(
            Optional.of(URI.create("http://127.0.0.1:1")), "us-east-1", "theirs", "", "", "");
    BucketSettings cached = BucketSettings.PRIMARY.withBackend(Optional.of(backend));
    gateway.submit(new Command.CreateBucket(1, "cached", "alice-id", cached));
    String policy =
        "{\"Statement\":[" + allow("'s3:GetObject'", IS_OPEN).replace(BUCKET, "cached") + "]}";

    assertRefused(
        "NotImplemented", 501, () -> alice.putBucketPolicy(r -> r.bucket("cached").policy(policy)));
  }

  @Test
  void conditionOfActionsWithoutTheKeyIsRefused() {
    for (String actions : List.of("'s3:DeleteObject'", "'s3:PutObject'", "'s3:ListBucket'")) {
      assertRefused("MalformedPolicy", 400, () -> set(allow(actions, IS_OPEN)));
    }
  }
}
