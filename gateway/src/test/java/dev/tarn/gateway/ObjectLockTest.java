package dev.tarn.gateway;

import static dev.tarn.gateway.Refusals.assertRefused;
import static java.time.temporal.ChronoUnit.DAYS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.time.Instant;
import java.time.ZoneOffset;
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
import software.amazon.awssdk.services.s3.model.BucketVersioningStatus;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.DefaultRetention;
import software.amazon.awssdk.services.s3.model.DeleteObjectsResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ObjectIdentifier;
import software.amazon.awssdk.services.s3.model.ObjectLockEnabled;
import software.amazon.awssdk.services.s3.model.ObjectLockLegalHoldStatus;
import software.amazon.awssdk.services.s3.model.ObjectLockMode;
import software.amazon.awssdk.services.s3.model.ObjectLockRetention;
import software.amazon.awssdk.services.s3.model.ObjectLockRetentionMode;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Object lock: versions that nobody removes before their time. */
class ObjectLockTest {
  private static final RequestBody BODY = RequestBody.fromString("content");
  private static final Instant LATER = Instant.parse("2200-01-01T00:00:00Z");

  private WireFixture wire;
  private S3Client alice;
  private S3Client bob;

  @BeforeEach
  void start() {
    wire = new WireFixture("wire");
    alice = wire.s3();
    bob = wire.gateway().client(GatewayFixture.BOB);
    alice.createBucket(r -> r.bucket("safe").objectLockEnabledForBucket(true));
    alice.createBucket(r -> r.bucket("plain"));
  }

  @AfterEach
  void stop() {
    bob.close();
    wire.close();
  }

  private String put(Consumer<PutObjectRequest.Builder> more) {
    return alice.putObject(r -> more.accept(r.bucket("safe").key("k")), BODY).versionId();
  }

  private HeadObjectResponse head(String version) {
    return alice.headObject(r -> r.bucket("safe").key("k").versionId(version));
  }

  private void retain(String version, ObjectLockRetentionMode mode, Instant until, boolean bypass) {
    alice.putObjectRetention(r ->
        r.bucket("safe")
            .key("k")
            .versionId(version)
            .bypassGovernanceRetention(bypass)
            .retention(t -> t.mode(mode).retainUntilDate(until)));
  }

  private ObjectLockRetention retention(String version) {
    return alice.getObjectRetention(r -> r.bucket("safe").key("k").versionId(version)).retention();
  }

  private void delete(S3Client caller, String version, boolean bypass) {
    caller.deleteObject(
        r -> r.bucket("safe").key("k").versionId(version).bypassGovernanceRetention(bypass));
  }

  private void setDefault(Consumer<DefaultRetention.Builder> retention) {
    alice.putObjectLockConfiguration(r ->
        r.bucket("safe")
            .objectLockConfiguration(c ->
                c.objectLockEnabled(ObjectLockEnabled.ENABLED)
                    .rule(rule -> rule.defaultRetention(retention))));
  }

  private void allowBob(String actions) {
    alice.putBucketPolicy(r ->
        r.bucket("safe")
            .policy(
                ("{'Statement':[{'Effect':'Allow','Principal':'*','Action':["
                        + actions
                        + "],'Resource':'arn:aws:s3:::safe/*'}]}")
                    .replace('\'', '"')));
  }

  @Test
  void bucketIsMadeWithALockAndKeepsVersionsForEver() {
    assertThat(alice.getBucketVersioning(r -> r.bucket("safe")).status())
        .isEqualTo(BucketVersioningStatus.ENABLED);
    var lock = alice.getObjectLockConfiguration(r -> r.bucket("safe")).objectLockConfiguration();
    assertThat(lock.objectLockEnabled()).isEqualTo(ObjectLockEnabled.ENABLED);
    assertThat(lock.rule()).isNull();
    assertRefused(
        "InvalidBucketState",
        409,
        () ->
            alice.putBucketVersioning(r ->
                r.bucket("safe")
                    .versioningConfiguration(v -> v.status(BucketVersioningStatus.SUSPENDED))));
  }

  /** As a repetition after a creation that was cut short. */
  @Test
  void bucketThatIsCreatedAgainWithALockGetsIt() {
    alice.createBucket(r -> r.bucket("plain").objectLockEnabledForBucket(true));
    setDefault(d -> d.mode(ObjectLockRetentionMode.GOVERNANCE).days(3));
    alice.createBucket(r -> r.bucket("safe").objectLockEnabledForBucket(true));

    for (String bucket : List.of("plain", "safe")) {
      assertThat(
              alice
                  .getObjectLockConfiguration(r -> r.bucket(bucket))
                  .objectLockConfiguration()
                  .rule())
          .satisfies(rule -> assertThat(rule == null).isEqualTo(bucket.equals("plain")));
    }
  }

  @Test
  void bucketGetsALockLaterIfItKeepsVersions() {
    Runnable lock =
        () ->
            alice.putObjectLockConfiguration(r ->
                r.bucket("plain")
                    .objectLockConfiguration(c -> c.objectLockEnabled(ObjectLockEnabled.ENABLED)));
    assertRefused("InvalidBucketState", 409, lock::run);
    alice.putBucketVersioning(r ->
        r.bucket("plain").versioningConfiguration(v -> v.status(BucketVersioningStatus.ENABLED)));

    lock.run();

    assertThat(
            alice
                .getObjectLockConfiguration(r -> r.bucket("plain"))
                .objectLockConfiguration()
                .objectLockEnabled())
        .isEqualTo(ObjectLockEnabled.ENABLED);
  }

  @Test
  void versionThatIsRetainedIsNotRemovedByAnybody() {
    String version =
        put(r -> r.objectLockMode(ObjectLockMode.COMPLIANCE).objectLockRetainUntilDate(LATER));

    assertThat(head(version).objectLockMode()).isEqualTo(ObjectLockMode.COMPLIANCE);
    assertThat(head(version).objectLockRetainUntilDate()).isEqualTo(LATER);
    assertThat(retention(version).mode()).isEqualTo(ObjectLockRetentionMode.COMPLIANCE);
    assertRefused("AccessDenied", 403, () -> delete(alice, version, true));
    DeleteObjectsResponse several =
        alice.deleteObjects(r ->
            r.bucket("safe")
                .bypassGovernanceRetention(true)
                .delete(d ->
                    d.objects(ObjectIdentifier.builder().key("k").versionId(version).build())));
    assertThat(several.errors())
        .singleElement()
        .satisfies(error -> {
          assertThat(error.code()).isEqualTo("AccessDenied");
          assertThat(error.message()).contains("object lock");
        });
    assertRefused(
        "AccessDenied",
        403,
        () -> retain(version, ObjectLockRetentionMode.COMPLIANCE, LATER.minus(1, DAYS), true));

    alice.deleteObject(r -> r.bucket("safe").key("k"));
    put(r -> {});
    assertThat(head(version).contentLength()).isEqualTo(7);
  }

  @Test
  void governanceIsEndedByThoseWhoMayAndAskForIt() {
    String version = put(r -> {});
    retain(version, ObjectLockRetentionMode.GOVERNANCE, LATER, false);

    assertRefused("AccessDenied", 403, () -> delete(alice, version, false));
    assertRefused(
        "AccessDenied",
        403,
        () -> retain(version, ObjectLockRetentionMode.GOVERNANCE, LATER.minus(1, DAYS), false));
    retain(version, ObjectLockRetentionMode.GOVERNANCE, LATER.minus(1, DAYS), true);
    allowBob("'s3:DeleteObjectVersion'");
    assertRefused("AccessDenied", 403, () -> delete(bob, version, true));
    allowBob("'s3:DeleteObjectVersion','s3:BypassGovernanceRetention'");
    delete(bob, version, true);
    assertThat(versions()).isEmpty();
  }

  private List<String> versions() {
    return alice.listObjectVersions(r -> r.bucket("safe")).versions().stream()
        .map(version -> version.versionId())
        .toList();
  }

  @Test
  void retentionOfAnEmptyDocumentIsNone() {
    String version = put(r -> {});
    retain(version, ObjectLockRetentionMode.GOVERNANCE, LATER, false);

    alice.putObjectRetention(r ->
        r.bucket("safe")
            .key("k")
            .versionId(version)
            .bypassGovernanceRetention(true)
            .retention(t -> {}));

    assertRefused("NoSuchObjectLockConfiguration", 404, () -> retention(version));
    delete(alice, version, false);
  }

  @Test
  void holdProtectsUntilItIsLifted() {
    String version = put(r -> r.objectLockLegalHoldStatus(ObjectLockLegalHoldStatus.ON));

    assertThat(head(version).objectLockLegalHoldStatus()).isEqualTo(ObjectLockLegalHoldStatus.ON);
    assertRefused("AccessDenied", 403, () -> delete(alice, version, true));
    alice.putObjectLegalHold(r ->
        r.bucket("safe")
            .key("k")
            .versionId(version)
            .legalHold(h -> h.status(ObjectLockLegalHoldStatus.OFF)));
    assertThat(
            alice
                .getObjectLegalHold(r -> r.bucket("safe").key("k").versionId(version))
                .legalHold()
                .status())
        .isEqualTo(ObjectLockLegalHoldStatus.OFF);
    delete(alice, version, false);
  }

  @Test
  void newVersionsHaveTheRetentionOfTheirBucketUnlessTheyNameOne() {
    setDefault(d -> d.mode(ObjectLockRetentionMode.GOVERNANCE).years(2));
    Instant inTwoYears = Instant.now().atOffset(ZoneOffset.UTC).plusYears(2).toInstant();

    ObjectLockRetention put = retention(put(r -> {}));
    assertThat(put.mode()).isEqualTo(ObjectLockRetentionMode.GOVERNANCE);
    assertThat(put.retainUntilDate()).isCloseTo(inTwoYears, within(1, DAYS));
    ObjectLockRetention named =
        retention(
            put(r -> r.objectLockMode(ObjectLockMode.COMPLIANCE).objectLockRetainUntilDate(LATER)));
    assertThat(named.retainUntilDate()).isEqualTo(LATER);

    setDefault(d -> d.mode(ObjectLockRetentionMode.COMPLIANCE).days(3));
    String copy =
        alice
            .copyObject(r ->
                r.sourceBucket("safe")
                    .sourceKey("k")
                    .destinationBucket("safe")
                    .destinationKey("k")
                    .metadataDirective("REPLACE"))
            .versionId();
    assertThat(retention(copy).mode()).isEqualTo(ObjectLockRetentionMode.COMPLIANCE);
    assertThat(retention(copy).retainUntilDate())
        .isCloseTo(Instant.now().plus(3, DAYS), within(1, DAYS));
    assertThat(retention(uploaded()).mode()).isEqualTo(ObjectLockRetentionMode.COMPLIANCE);
  }

  private String uploaded() {
    String id = alice.createMultipartUpload(r -> r.bucket("safe").key("k")).uploadId();
    String etag =
        alice.uploadPart(r -> r.bucket("safe").key("k").uploadId(id).partNumber(1), BODY).eTag();
    return alice
        .completeMultipartUpload(r ->
            r.bucket("safe")
                .key("k")
                .uploadId(id)
                .multipartUpload(
                    u -> u.parts(CompletedPart.builder().partNumber(1).eTag(etag).build())))
        .versionId();
  }

  @Test
  void protectionIsOfOneVersionAndNotCopied() {
    String held = put(r -> r.objectLockLegalHoldStatus(ObjectLockLegalHoldStatus.ON));
    String free = put(r -> {});
    assertThat(head(held).objectLockLegalHoldStatus()).isEqualTo(ObjectLockLegalHoldStatus.ON);
    assertThat(head(free).objectLockLegalHoldStatus()).isNull();
    delete(alice, free, false);
    alice.copyObject(
        r -> r.sourceBucket("safe").sourceKey("k").destinationBucket("plain").destinationKey("c"));

    HeadObjectResponse copy = alice.headObject(r -> r.bucket("plain").key("c"));
    assertThat(copy.objectLockLegalHoldStatus()).isNull();
    alice.deleteObject(r -> r.bucket("plain").key("c"));
  }

  @Test
  void othersNeedAPermissionForEachPart() {
    String version = put(r -> r.objectLockLegalHoldStatus(ObjectLockLegalHoldStatus.ON));
    retain(version, ObjectLockRetentionMode.GOVERNANCE, LATER, false);

    allowBob("'s3:GetObject','s3:PutObject'");
    HeadObjectResponse blind = bob.headObject(r -> r.bucket("safe").key("k"));
    assertThat(blind.objectLockMode()).isNull();
    assertThat(blind.objectLockLegalHoldStatus()).isNull();
    assertRefused(
        "AccessDenied",
        403,
        () ->
            bob.putObject(
                r ->
                    r.bucket("safe")
                        .key("k")
                        .objectLockLegalHoldStatus(ObjectLockLegalHoldStatus.ON),
                BODY));
    assertRefused(
        "AccessDenied", 403, () -> bob.getObjectRetention(r -> r.bucket("safe").key("k")));
    assertRefused(
        "AccessDenied", 403, () -> bob.getObjectLegalHold(r -> r.bucket("safe").key("k")));
    assertRefused(
        "AccessDenied",
        403,
        () ->
            bob.putObjectRetention(r ->
                r.bucket("safe")
                    .key("k")
                    .retention(
                        t -> t.mode(ObjectLockRetentionMode.COMPLIANCE).retainUntilDate(LATER))));
    assertRefused(
        "AccessDenied",
        403,
        () ->
            bob.putObjectLegalHold(r ->
                r.bucket("safe").key("k").legalHold(h -> h.status(ObjectLockLegalHoldStatus.OFF))));
    assertRefused(
        "AccessDenied",
        403,
        () ->
            bob.createMultipartUpload(r ->
                r.bucket("safe")
                    .key("k")
                    .objectLockMode(ObjectLockMode.GOVERNANCE)
                    .objectLockRetainUntilDate(LATER)));

    allowBob(
        "'s3:GetObject','s3:PutObject','s3:GetObjectRetention','s3:GetObjectLegalHold',"
            + "'s3:PutObjectLegalHold'");
    HeadObjectResponse seen = bob.headObject(r -> r.bucket("safe").key("k"));
    assertThat(seen.objectLockMode()).isEqualTo(ObjectLockMode.GOVERNANCE);
    assertThat(seen.objectLockLegalHoldStatus()).isEqualTo(ObjectLockLegalHoldStatus.ON);
    bob.putObject(
        r -> r.bucket("safe").key("k").objectLockLegalHoldStatus(ObjectLockLegalHoldStatus.ON),
        BODY);
  }

  @Test
  void bucketWithoutALockHasNoProtectedVersions() {
    alice.putObject(r -> r.bucket("plain").key("k"), BODY);

    assertRefused(
        "InvalidRequest",
        400,
        () ->
            alice.putObject(
                r ->
                    r.bucket("plain")
                        .key("k")
                        .objectLockMode(ObjectLockMode.GOVERNANCE)
                        .objectLockRetainUntilDate(LATER),
                BODY));
    assertRefused(
        "InvalidRequest", 400, () -> alice.getObjectRetention(r -> r.bucket("plain").key("k")));
    assertRefused(
        "InvalidRequest", 400, () -> alice.getObjectLegalHold(r -> r.bucket("plain").key("k")));
    assertRefused(
        "InvalidRequest",
        400,
        () ->
            alice.putObjectLegalHold(r ->
                r.bucket("plain").key("k").legalHold(h -> h.status(ObjectLockLegalHoldStatus.ON))));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<ObjectLockEnabled>Disabled</ObjectLockEnabled>",
        "<Rule><DefaultRetention><Mode>GOVERNANCE</Mode><Days>1</Days></DefaultRetention></Rule>",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule/>",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rules/>",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
            + "<Mode>GOVERNANCE</Mode><Days>1</Days><Hours>1</Hours></DefaultRetention></Rule>",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
            + "<Mode>SOME</Mode><Days>1</Days></DefaultRetention></Rule>",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
            + "<Mode>GOVERNANCE</Mode></DefaultRetention></Rule>",
        "<ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule><DefaultRetention>"
            + "<Mode>GOVERNANCE</Mode><Days>1</Days><Years>1</Years></DefaultRetention></Rule>",
      })
  void malformedRuleIsRefused(String content) throws IOException {
    assertThat(
            wire.send(
                    "PUT",
                    "/safe?object-lock=",
                    Map.of(),
                    "<ObjectLockConfiguration>" + content + "</ObjectLockConfiguration>")
                .body())
        .contains("<Code>MalformedXML</Code>");
  }

  @ParameterizedTest
  @CsvSource({"0", "-1", "36501"})
  void periodIsOneDayToAHundredYears(int days) {
    assertRefused(
        "InvalidRetentionPeriod",
        400,
        () -> setDefault(d -> d.mode(ObjectLockRetentionMode.GOVERNANCE).days(days)));
  }

  @ParameterizedTest
  @CsvSource({
    "x-amz-object-lock-mode: GOVERNANCE, InvalidArgument",
    "x-amz-object-lock-retain-until-date: 2200-01-01T00:00:00Z, InvalidArgument",
    "x-amz-object-lock-legal-hold: on, InvalidArgument",
    "x-amz-object-lock-legal-hold: '', InvalidArgument",
  })
  void headersThatAreNotWholeAreRefused(String header, String code) throws IOException {
    String[] parts = header.split(": ", 2);
    assertThat(wire.send("PUT", "/safe/k", Map.of(parts[0], parts[1]), "x").body())
        .contains("<Code>" + code + "</Code>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"+999999999-12-31T23:59:59Z", "+10000-01-01T00:00:00Z", "tomorrow"})
  void timeOfNoYearOfFourDigitsIsRefused(String until) throws IOException {
    Map<String, String> headers =
        Map.of(
            "x-amz-object-lock-mode", "GOVERNANCE", "x-amz-object-lock-retain-until-date", until);
    assertThat(wire.send("PUT", "/safe/k", headers, "x").body())
        .contains("<Code>InvalidArgument</Code>");
    put(r -> {});
    String document =
        "<Retention><Mode>GOVERNANCE</Mode><RetainUntilDate>"
            + until
            + "</RetainUntilDate></Retention>";
    assertThat(wire.send("PUT", "/safe/k?retention=", Map.of(), document).body())
        .contains("<Code>MalformedXML</Code>");
  }

  @Test
  void timeThatHasPassedIsRefused() {
    String version = put(r -> {});

    assertRefused(
        "InvalidArgument",
        400,
        () ->
            retain(
                version,
                ObjectLockRetentionMode.GOVERNANCE,
                Instant.parse("2020-01-01T00:00:00Z"),
                false));
    assertRefused(
        "InvalidArgument",
        400,
        () ->
            put(r ->
                r.objectLockMode(ObjectLockMode.GOVERNANCE)
                    .objectLockRetainUntilDate(Instant.parse("2020-01-01T00:00:00Z"))));
  }
}
