package dev.tarn.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.NoSuchKeyException;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.Tag;

/** Objects through a stock client: what was written is what is read. */
class ObjectsTest {
  private static final String BUCKET = "objects";

  private static GatewayFixture gateway;
  private static S3Client s3;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(request -> request.bucket(BUCKET));
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
    // A client may have all of a body before the gateway closes it.
    assertThat(gateway.memory().openBodies()).isZero();
  }

  @Test
  void putAnswersTheMd5AsETagAndTheChecksum() {
    PutObjectResponse put = put("etag", "hello");

    assertThat(put.eTag()).isEqualTo("\"5d41402abc4b2a76b9719d911017c592\"");
    assertThat(put.checksumCRC32()).isEqualTo("NhCmhg==");
  }

  @Test
  void whatWasPutIsGot() {
    put("round/trip", "the bytes");

    ResponseBytes<GetObjectResponse> got =
        s3.getObjectAsBytes(request -> request.bucket(BUCKET).key("round/trip"));

    assertThat(got.asUtf8String()).isEqualTo("the bytes");
    assertThat(got.response().contentLength()).isEqualTo(9);
    assertThat(got.response().acceptRanges()).isEqualTo("bytes");
    assertThat(got.response().lastModified()).isBeforeOrEqualTo(Instant.now());
    assertThat(got.response().contentType()).isNotNull();
  }

  @Test
  void attributesComeBackWithEveryRead() {
    s3.putObject(
        request ->
            request
                .bucket(BUCKET)
                .key("attributes")
                .contentType("text/x-test")
                .contentEncoding("gzip")
                .cacheControl("no-cache")
                .contentDisposition("attachment")
                .contentLanguage("de")
                .metadata(Map.of("colour", "blue"))
                .tagging("team=data&stage=raw"),
        RequestBody.fromString("x"));

    HeadObjectResponse head = s3.headObject(r -> r.bucket(BUCKET).key("attributes"));

    assertThat(head.contentType()).isEqualTo("text/x-test");
    assertThat(head.contentEncoding()).isEqualTo("gzip");
    assertThat(head.cacheControl()).isEqualTo("no-cache");
    assertThat(head.contentDisposition()).isEqualTo("attachment");
    assertThat(head.contentLanguage()).isEqualTo("de");
    assertThat(head.metadata()).containsEntry("colour", "blue");
    assertThat(s3.getObjectTagging(r -> r.bucket(BUCKET).key("attributes")).tagSet())
        .extracting(tag -> tag.key() + "=" + tag.value())
        .containsExactlyInAnyOrder("team=data", "stage=raw");
  }

  @Test
  void tagsOfTheSystemAreNotTheClientsToSet() {
    put("system-tag", "x");
    Tag owner = Tag.builder().key("aws:owner").value("me").build();

    assertThatThrownBy(() ->
            s3.putObjectTagging(
                r -> r.bucket(BUCKET).key("system-tag").tagging(tagging -> tagging.tagSet(owner))))
        .isInstanceOf(S3Exception.class)
        .hasMessageContaining("System tags cannot be added/updated by requester: aws:owner.");
  }

  @ParameterizedTest
  @CsvSource({
    "bytes=0-3, 0123, 'bytes 0-3/10'",
    "bytes=4-, 456789, 'bytes 4-9/10'",
    "bytes=-3, 789, 'bytes 7-9/10'",
    "bytes=-30, 0123456789, 'bytes 0-9/10'",
    "bytes=8-99, 89, 'bytes 8-9/10'",
  })
  void rangeIsAnsweredWithThoseBytes(String range, String bytes, String contentRange) {
    put("range", "0123456789");

    ResponseBytes<GetObjectResponse> got =
        s3.getObjectAsBytes(request -> request.bucket(BUCKET).key("range").range(range));

    assertThat(got.asUtf8String()).isEqualTo(bytes);
    assertThat(got.response().contentRange()).isEqualTo(contentRange);
    assertThat(got.response().sdkHttpResponse().statusCode()).isEqualTo(206);
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=3-1", "bytes=0-1,4-5", "lines=1-2", "bytes=a-b", "bytes=-"})
  void rangeThatIsMalformedOrSeveralIsAnsweredWithAll(String range) {
    put("range-malformed", "0123456789");

    ResponseBytes<GetObjectResponse> got =
        s3.getObjectAsBytes(request -> request.bucket(BUCKET).key("range-malformed").range(range));

    assertThat(got.response().sdkHttpResponse().statusCode()).isEqualTo(200);
    assertThat(got.asUtf8String()).isEqualTo("0123456789");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=10-", "bytes=99-100", "bytes=-0"})
  void rangePastTheEndIsNotSatisfiable(String range) {
    put("range-past", "0123456789");

    assertThatThrownBy(() ->
            s3.getObjectAsBytes(request -> request.bucket(BUCKET).key("range-past").range(range)))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> {
              assertThat(e.statusCode()).isEqualTo(416);
              assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidRange");
            });
  }

  @Test
  void checksumIsShownOnlyWhenAskedForAndNeverWithARange() {
    put("checksum", "hello");

    HeadObjectResponse plain = s3.headObject(r -> r.bucket(BUCKET).key("checksum"));
    HeadObjectResponse asked =
        s3.headObject(r -> r.bucket(BUCKET).key("checksum").checksumMode("enabled"));
    HeadObjectResponse range =
        s3.headObject(
            r -> r.bucket(BUCKET).key("checksum").range("bytes=0-1").checksumMode("ENABLED"));

    assertThat(plain.checksumCRC32()).isNull();
    assertThat(asked.checksumCRC32()).isEqualTo("NhCmhg==");
    assertThat(asked.checksumTypeAsString()).isEqualTo("FULL_OBJECT");
    assertThat(range.checksumCRC32()).isNull();
  }

  @Test
  void conditionalReadOfAnUnchangedObjectIsNotModified() {
    String etag = put("conditional", "x").eTag();

    assertThatThrownBy(
            () -> s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("conditional").ifNoneMatch(etag)))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(304));
    assertThatThrownBy(
            () -> s3.headObject(r -> r.bucket(BUCKET).key("conditional").ifMatch("\"other\"")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(412));
  }

  @Test
  void missingKeyIsNamedInTheError() {
    assertThatThrownBy(() -> s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("missing")))
        .isInstanceOf(NoSuchKeyException.class)
        .hasMessageContaining("The specified key does not exist.");
    assertThatThrownBy(() -> s3.headObject(r -> r.bucket(BUCKET).key("missing").ifMatch("x")))
        .isInstanceOfSatisfying(S3Exception.class, e -> assertThat(e.statusCode()).isEqualTo(404));
  }

  @Test
  void deletingWhatIsNotThereSucceeds() {
    assertThat(
            s3.deleteObject(r -> r.bucket(BUCKET).key("never-there"))
                .sdkHttpResponse()
                .statusCode())
        .isEqualTo(204);
  }

  @Test
  void conditionalWriteIsMadeOnce() {
    s3.putObject(
        r -> r.bucket(BUCKET).key("once").ifNoneMatch("*"), RequestBody.fromString("first"));

    assertThatThrownBy(() ->
            s3.putObject(
                r -> r.bucket(BUCKET).key("once").ifNoneMatch("*"),
                RequestBody.fromString("second")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("PreconditionFailed"));
    assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("once")).asUtf8String())
        .isEqualTo("first");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a//b",
        "a/../b",
        "./x",
        "trailing/",
        "per%2Fcent",
        "plus+sign",
        "é and ü",
        "space key",
        "*'()!~",
        "\uD83D\uDE00"
      })
  void keysAreTakenAsTheyAre(String key) {
    put(key, key);

    assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key(key)).asByteArray())
        .isEqualTo(key.getBytes(UTF_8));
    assertThat(s3.listObjectsV2(r -> r.bucket(BUCKET).prefix(key)).contents())
        .extracting(object -> object.key())
        .contains(key);
  }

  @Test
  void copyKeepsOrReplacesWhatTheSourceSays() {
    s3.putObject(
        r -> r.bucket(BUCKET).key("copy/source").metadata(Map.of("a", "1")),
        RequestBody.fromString("copied"));

    s3.copyObject(r ->
        r.sourceBucket(BUCKET)
            .sourceKey("copy/source")
            .destinationBucket(BUCKET)
            .destinationKey("copy/kept"));
    s3.copyObject(r ->
        r.sourceBucket(BUCKET)
            .sourceKey("copy/source")
            .destinationBucket(BUCKET)
            .destinationKey("copy/replaced")
            .metadataDirective("REPLACE")
            .metadata(Map.of("b", "2")));

    assertThat(s3.headObject(r -> r.bucket(BUCKET).key("copy/kept")).metadata())
        .containsOnly(Map.entry("a", "1"));
    assertThat(s3.headObject(r -> r.bucket(BUCKET).key("copy/replaced")).metadata())
        .containsOnly(Map.entry("b", "2"));
    assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("copy/kept")).asUtf8String())
        .isEqualTo("copied");
  }

  @Test
  void copyOntoItselfWithoutAChangeIsRefused() {
    put("copy/self", "x");

    assertThatThrownBy(() ->
            s3.copyObject(r ->
                r.sourceBucket(BUCKET)
                    .sourceKey("copy/self")
                    .destinationBucket(BUCKET)
                    .destinationKey("copy/self")))
        .isInstanceOfSatisfying(
            S3Exception.class,
            e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo("InvalidRequest"));
  }

  @Test
  void copyOntoItselfThatReplacesSomethingIsMade() {
    s3.putObject(
        r -> r.bucket(BUCKET).key("copy/anew").metadata(Map.of("a", "1")),
        RequestBody.fromString("content"));

    s3.copyObject(r ->
        r.sourceBucket(BUCKET)
            .sourceKey("copy/anew")
            .destinationBucket(BUCKET)
            .destinationKey("copy/anew")
            .metadataDirective("REPLACE")
            .metadata(Map.of("b", "2")));

    assertThat(s3.headObject(r -> r.bucket(BUCKET).key("copy/anew")).metadata())
        .containsOnly(Map.entry("b", "2"));
    assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("copy/anew")).asUtf8String())
        .isEqualTo("content");
  }

  private static PutObjectResponse put(String key, String content) {
    return s3.putObject(r -> r.bucket(BUCKET).key(key), RequestBody.fromString(content));
  }
}
