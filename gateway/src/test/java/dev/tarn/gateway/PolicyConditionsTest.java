package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.gateway.RawConnection.RawResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;

/** Conditions of policies on what a request says in its headers. */
class PolicyConditionsTest {
  private static final String KEYS = "/*";

  private WireFixture wire;
  private S3Client alice;
  private S3Client bob;

  @BeforeEach
  void start() {
    wire = new WireFixture("wire");
    alice = wire.s3();
    bob = wire.gateway().client(GatewayFixture.BOB);
    alice.createBucket(r -> r.bucket("alices"));
    for (String key : List.of("public/a b", "private/a")) {
      wire.store(key, "content");
    }
  }

  @AfterEach
  void stop() {
    bob.close();
    wire.close();
  }

  private static String statement(String effect, String actions, String condition) {
    return ("{'Effect':'%s','Principal':{'AWS':'bob'},'Action':[%s],".formatted(effect, actions)
            + "'Resource':['arn:aws:s3:::alices','arn:aws:s3:::alices%s']%s}"
                .formatted(KEYS, condition.isEmpty() ? "" : ",'Condition':{" + condition + "}"))
        .replace('\'', '"');
  }

  private void set(String... statements) {
    alice.putBucketPolicy(
        r -> r.bucket("alices").policy("{\"Statement\":[" + String.join(",", statements) + "]}"));
  }

  /** The status of a PUT by Bob with these headers: names and values by turns. */
  private int put(String... headers) {
    Map<String, String> said = said(headers);
    return statusOf(() ->
        bob.putObject(
            r ->
                r.bucket("alices")
                    .key("new")
                    .overrideConfiguration(o -> said.forEach(o::putHeader)),
            RequestBody.fromString("x")));
  }

  private int copy(String source, String... headers) {
    String[] all = new String[headers.length + 2];
    System.arraycopy(headers, 0, all, 2, headers.length);
    all[0] = "x-amz-copy-source";
    all[1] = source;
    return put(all);
  }

  /** The status of a CreateMultipartUpload by Bob with these headers, as in {@link #put}. */
  private int createUpload(String... headers) {
    Map<String, String> said = said(headers);
    return statusOf(() ->
        bob.createMultipartUpload(r ->
            r.bucket("alices").key("new").overrideConfiguration(o -> said.forEach(o::putHeader))));
  }

  private int copyPart(String upload, String source) {
    return statusOf(() ->
        bob.uploadPartCopy(r ->
            r.sourceBucket("wire")
                .sourceKey(source)
                .destinationBucket("alices")
                .destinationKey("whole")
                .uploadId(upload)
                .partNumber(1)));
  }

  private int list(@Nullable String prefix) {
    return statusOf(() -> bob.listObjectsV2(r -> r.bucket("alices").prefix(prefix)));
  }

  private static Map<String, String> said(String... headers) {
    Map<String, String> said = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      said.put(headers[i], headers[i + 1]);
    }
    return said;
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
  void writeIsAllowedByTheTagsThatItSets() {
    set(
        statement(
            "Allow",
            "'s3:PutObject','s3:PutObjectTagging'",
            "'StringEquals':{'s3:RequestObjectTag/secrecy':['open','é b']}"));

    assertThat(put("x-amz-tagging", "secrecy=open")).isEqualTo(200);
    assertThat(put("x-amz-tagging", "a=b&secrecy=%C3%A9+b")).isEqualTo(200);
    assertThat(put("x-amz-tagging", "secrecy=closed")).isEqualTo(403);
    assertThat(put("x-amz-tagging", "Secrecy=open")).isEqualTo(403);
    assertThat(put()).isEqualTo(403);
  }

  @Test
  void tagsOfADocumentAreNotKnownAndSoNotAllowedWhateverAHeaderSays() throws IOException {
    alice.putObject(r -> r.bucket("alices").key("k"), RequestBody.fromString("x"));
    set(
        statement(
            "Allow",
            "'s3:PutObjectTagging'",
            "'StringEquals':{'s3:RequestObjectTag/secrecy':'open'}"));

    assertThat(
            statusOf(() ->
                bob.putObjectTagging(r ->
                    r.bucket("alices")
                        .key("k")
                        .tagging(t -> t.tagSet(Tag.builder().key("secrecy").value("no").build()))
                        .overrideConfiguration(o -> o.putHeader("x-amz-tagging", "secrecy=open")))))
        .isEqualTo(403);
  }

  @Test
  void copyThatKeepsItsTagsIsNotAllowedByTagsInItsHeader() {
    set(
        statement(
            "Allow",
            "'s3:PutObject','s3:PutObjectTagging'",
            "'StringEquals':{'s3:RequestObjectTag/secrecy':'open'}"));

    assertThat(copy("wire/private/a", "x-amz-tagging", "secrecy=open")).isEqualTo(403);
    assertThat(
            copy(
                "wire/private/a",
                "x-amz-tagging",
                "secrecy=open",
                "x-amz-tagging-directive",
                "REPLACE"))
        .isEqualTo(200);
  }

  @Test
  void publicAclIsDenied() {
    set(
        statement("Allow", "'s3:PutObject','s3:PutObjectAcl'", ""),
        statement("Deny", "'s3:PutObject'", "'StringLike':{'s3:x-amz-acl':'public*'}"));

    assertThat(put()).isEqualTo(200);
    assertThat(put("x-amz-acl", "private")).isEqualTo(200);
    assertThat(put("x-amz-acl", "public-read")).isEqualTo(403);
  }

  @Test
  void grantIsDenied() {
    set(
        statement("Allow", "'s3:PutObject','s3:PutObjectAcl'", ""),
        statement("Deny", "'s3:PutObject'", "'Null':{'s3:x-amz-grant-read':'false'}"),
        statement("Deny", "'s3:PutObject'", "'StringLike':{'s3:x-amz-grant-full-control':'*'}"));

    assertThat(put()).isEqualTo(200);
    assertThat(put("x-amz-grant-read-acp", "id=alice-id")).isEqualTo(200);
    assertThat(put("x-amz-grant-read", "id=alice-id")).isEqualTo(403);
    assertThat(put("x-amz-grant-full-control", "id=alice-id")).isEqualTo(403);
  }

  @ParameterizedTest
  @CsvSource({
    "'StringLike', 'wire/public/*'",
    "'StringLike', '/wire/public/*'",
    "'StringEquals', 'wire/public/a b'",
  })
  void copyIsAllowedByItsSource(String operator, String source) {
    set(
        statement(
            "Allow",
            "'s3:PutObject'",
            "'%s':{'s3:x-amz-copy-source':'%s'}".formatted(operator, source)));

    assertThat(copy("wire/public/a+b")).isEqualTo(200);
    assertThat(copy("/wire/%70ublic/a%20b?versionId=null")).isEqualTo(200);
    assertThat(copy("wire/private/a")).isEqualTo(403);
    assertThat(put()).isEqualTo(403);
  }

  @Test
  void copyIsAllowedByItsDirective() {
    set(
        statement(
            "Allow", "'s3:PutObject'", "'StringEquals':{'s3:x-amz-metadata-directive':'COPY'}"));

    assertThat(copy("wire/private/a", "x-amz-metadata-directive", "COPY")).isEqualTo(200);
    assertThat(copy("wire/private/a", "x-amz-metadata-directive", "REPLACE")).isEqualTo(403);
    assertThat(copy("wire/private/a")).isEqualTo(403);
  }

  @Test
  void conditionIfItsKeyExistsHoldsWithoutTheKey() {
    set(
        statement(
            "Allow",
            "'s3:PutObject','s3:PutObjectAcl'",
            "'StringEqualsIfExists':{'s3:x-amz-acl':'private'},"
                + "'StringLikeIfExists':{'s3:x-amz-copy-source':'wire/public/*'}"));

    assertThat(put()).isEqualTo(200);
    assertThat(put("x-amz-acl", "private")).isEqualTo(200);
    assertThat(put("x-amz-acl", "public-read")).isEqualTo(403);
    assertThat(copy("wire/private/a")).isEqualTo(403);
  }

  @Test
  void nullIsWhetherTheKeyIsAbsent() {
    set(
        statement("Allow", "'s3:PutObject','s3:PutObjectTagging'", ""),
        statement("Deny", "'s3:PutObject'", "'Null':{'s3:RequestObjectTag/team':'true'}"),
        statement("Deny", "'s3:PutObject'", "'Null':{'s3:x-amz-copy-source':'false'}"));

    assertThat(put()).isEqualTo(403);
    assertThat(put("x-amz-tagging", "team=maps")).isEqualTo(200);
    assertThat(put("x-amz-tagging", "team=")).isEqualTo(200);
    assertThat(
            copy("wire/private/a", "x-amz-tagging", "team=m", "x-amz-tagging-directive", "REPLACE"))
        .isEqualTo(403);
  }

  @Test
  void keysAreNotThoseOfOtherActions() throws IOException {
    alice.putObject(r -> r.bucket("alices").key("k"), RequestBody.fromString("x"));
    set(
        statement(
            "Allow",
            "'s3:PutObject','s3:GetObject','s3:ListBucket'",
            "'StringEquals':{'s3:x-amz-acl':'private'}"));

    assertThat(
            statusOf(() ->
                bob.getObject(r ->
                    r.bucket("alices")
                        .key("k")
                        .overrideConfiguration(o -> o.putHeader("x-amz-acl", "private")))))
        .isEqualTo(403);
    RawResponse anonymous = wire.send("GET", "/wire/private/a", Map.of("x-amz-acl", "private"), "");
    assertThat(anonymous.status()).isEqualTo(200);
  }

  @Test
  void uploadIsNoCopyWhateverItsHeadersSay() {
    set(
        statement("Allow", "'s3:PutObject','s3:PutObjectTagging'", ""),
        statement(
            "Deny", "'s3:PutObject'", "'StringEquals':{'s3:RequestObjectTag/secrecy':'closed'}"));

    assertThat(createUpload("x-amz-tagging", "secrecy=closed")).isEqualTo(403);
    assertThat(
            createUpload("x-amz-tagging", "secrecy=closed", "x-amz-copy-source", "wire/private/a"))
        .isEqualTo(403);
    assertThat(createUpload("x-amz-tagging", "secrecy=open", "x-amz-copy-source", "wire/private/a"))
        .isEqualTo(200);

    set(
        statement(
            "Allow", "'s3:PutObject'", "'StringEquals':{'s3:x-amz-copy-source':'wire/private/a'}"));

    assertThat(createUpload("x-amz-copy-source", "wire/private/a")).isEqualTo(403);
    assertThat(copy("wire/private/a")).isEqualTo(200);
  }

  @Test
  void directiveOfARequestThatIsNoCopyIsNoKey() {
    set(
        statement(
            "Allow", "'s3:PutObject'", "'StringEquals':{'s3:x-amz-metadata-directive':'COPY'}"));

    assertThat(put("x-amz-metadata-directive", "COPY")).isEqualTo(403);
    assertThat(createUpload("x-amz-metadata-directive", "COPY")).isEqualTo(403);
    assertThat(copy("wire/private/a", "x-amz-metadata-directive", "COPY")).isEqualTo(200);
  }

  @Test
  void prefixIsAbsentOnlyWithoutTheParameter() {
    set(statement("Allow", "'s3:ListBucket'", "'Null':{'s3:prefix':'true'}"));

    assertThat(list(null)).isEqualTo(200);
    assertThat(list("")).isEqualTo(403);
    assertThat(list("a")).isEqualTo(403);

    set(statement("Allow", "'s3:ListBucket'", "'StringEqualsIfExists':{'s3:prefix':'a'}"));

    assertThat(list(null)).isEqualTo(200);
    assertThat(list("")).isEqualTo(403);
    assertThat(list("a")).isEqualTo(200);

    set(statement("Allow", "'s3:ListBucket'", "'StringEquals':{'s3:prefix':''}"));

    assertThat(list(null)).isEqualTo(403);
    assertThat(list("")).isEqualTo(200);
  }

  @Test
  void tagsAndAclOfAnUploadAreComparedWhenItIsCreated() {
    set(
        statement(
            "Allow",
            "'s3:PutObject','s3:PutObjectAcl'",
            "'StringEquals':{'s3:x-amz-acl':'private'}"),
        statement("Allow", "'s3:PutObjectTagging'", ""),
        statement("Deny", "'s3:PutObject'", "'Null':{'s3:RequestObjectTag/team':'true'}"));
    String[] complete = {"x-amz-acl", "private", "x-amz-tagging", "team=maps"};

    assertThat(createUpload()).isEqualTo(403);
    assertThat(createUpload("x-amz-acl", "private")).isEqualTo(403);
    assertThat(createUpload("x-amz-tagging", "team=maps")).isEqualTo(403);
    assertThat(createUpload(complete)).isEqualTo(200);
    assertThat(put()).isEqualTo(403);
    assertThat(put(complete)).isEqualTo(200);

    String upload =
        bob.createMultipartUpload(
                r -> r.bucket("alices").key("whole").acl("private").tagging("team=maps"))
            .uploadId();
    String etag =
        bob.uploadPart(
                r -> r.bucket("alices").key("whole").uploadId(upload).partNumber(1),
                RequestBody.fromString("x"))
            .eTag();
    CompletedPart part = CompletedPart.builder().partNumber(1).eTag(etag).build();
    bob.completeMultipartUpload(
        r -> r.bucket("alices").key("whole").uploadId(upload).multipartUpload(u -> u.parts(part)));

    assertThat(alice.getObjectTagging(r -> r.bucket("alices").key("whole")).tagSet()).hasSize(1);
  }

  @Test
  void copyOfAPartIsAllowedByItsSource() {
    set(
        statement(
            "Allow", "'s3:PutObject'", "'StringEquals':{'s3:x-amz-copy-source':'wire/private/a'}"));
    String upload = alice.createMultipartUpload(r -> r.bucket("alices").key("whole")).uploadId();

    assertThat(copyPart(upload, "private/a")).isEqualTo(200);
    assertThat(copyPart(upload, "public/a b")).isEqualTo(403);
    assertThat(
            statusOf(() ->
                bob.uploadPart(
                    r -> r.bucket("alices").key("whole").uploadId(upload).partNumber(1),
                    RequestBody.fromString("x"))))
        .isEqualTo(403);
  }

  @Test
  void negatedConditionIsMetByOtherValuesAndWithoutTheKey() {
    set(
        statement("Allow", "'s3:PutObject','s3:PutObjectAcl'", ""),
        statement("Deny", "'s3:PutObject'", "'StringNotEquals':{'s3:x-amz-acl':'private'}"));

    assertThat(put("x-amz-acl", "private")).isEqualTo(200);
    assertThat(put("x-amz-acl", "public-read")).isEqualTo(403);
    assertThat(put()).isEqualTo(403);

    set(statement("Allow", "'s3:ListBucket'", "'StringNotLike':{'s3:prefix':['private*']}"));

    assertThat(list("public/")).isEqualTo(200);
    assertThat(list("private/")).isEqualTo(403);
  }

  @Test
  void connectionWithoutEncryptionIsDenied() {
    set(
        statement("Allow", "'s3:PutObject'", ""),
        statement("Deny", "'s3:PutObject'", "'Bool':{'aws:SecureTransport':'false'}"));
    assertThat(put()).isEqualTo(403);

    set(statement("Allow", "'s3:PutObject'", "'Bool':{'aws:SecureTransport':'false'}"));
    assertThat(put()).isEqualTo(200);
  }

  @Test
  void requestIsAllowedByThePageThatLedToIt() {
    set(statement("Allow", "'s3:PutObject'", "'StringLike':{'aws:Referer':'https://a.example/*'}"));

    assertThat(put("referer", "https://a.example/page")).isEqualTo(200);
    assertThat(put("referer", "https://b.example/page")).isEqualTo(403);
    assertThat(put()).isEqualTo(403);
  }

  @Test
  void addressOutsideOfTheRangesIsDenied() {
    set(
        statement("Allow", "'s3:PutObject'", ""),
        statement("Deny", "'s3:PutObject'", "'NotIpAddress':{'aws:SourceIp':'127.0.0.0/8'}"));
    assertThat(put()).isEqualTo(200);

    set(
        statement("Allow", "'s3:PutObject'", ""),
        statement("Deny", "'s3:PutObject'", "'NotIpAddress':{'aws:SourceIp':'10.0.0.0/8'}"));
    assertThat(put()).isEqualTo(403);
  }

  @Test
  void allButTheNamedActionsAndPrincipalsAreDenied() {
    String allow =
        "{'Effect':'Allow','Principal':{'AWS':'bob'},'Action':'*','Resource':'*'}"
            .replace('\'', '"');
    set(allow);
    assertThat(put()).isEqualTo(200);
    assertThat(list("")).isEqualTo(200);

    set(
        allow,
        "{'Effect':'Deny','Principal':'*','NotAction':'s3:List*','Resource':'*'}"
            .replace('\'', '"'));
    assertThat(put()).isEqualTo(403);
    assertThat(list("")).isEqualTo(200);

    set(
        allow,
        "{'Effect':'Deny','NotPrincipal':{'AWS':['alice']},'Action':'s3:ListBucket','Resource':'*'}"
            .replace('\'', '"'));
    assertThat(put()).isEqualTo(200);
    assertThat(list("")).isEqualTo(403);
    assertThat(alice.listObjectsV2(r -> r.bucket("alices")).keyCount()).isPositive();
  }
}
