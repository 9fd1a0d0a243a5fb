package dev.tarn.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.ResponseBytes;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.ChecksumAlgorithm;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.ListMultipartUploadsResponse;
import software.amazon.awssdk.services.s3.model.ListPartsResponse;
import software.amazon.awssdk.services.s3.model.ObjectAttributes;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.UploadPartResponse;

/** Multipart uploads through a stock client. */
class MultipartTest {
  private static final String BUCKET = "multipart";
  private static final int PART_BYTES = 5 << 20;

  private static GatewayFixture gateway;
  private static S3Client s3;

  @BeforeAll
  static void start() {
    gateway = new GatewayFixture();
    s3 = gateway.client(GatewayFixture.ALICE);
    s3.createBucket(r -> r.bucket(BUCKET));
  }

  @AfterAll
  static void stop() {
    s3.close();
    gateway.close();
  }

  @Test
  void objectIsMadeOfItsPartsInOrderAndReadPartByPart() {
    byte[] first = randomBytes(1, PART_BYTES);
    byte[] last = randomBytes(2, 1000);
    String upload = create("whole");

    CompleteMultipartUploadResponse completed =
        complete("whole", upload, part("whole", upload, 2, first), part("whole", upload, 7, last));
    ResponseBytes<GetObjectResponse> whole =
        s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("whole"));
    ResponseBytes<GetObjectResponse> second =
        s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("whole").partNumber(7));

    assertThat(completed.eTag()).endsWith("-2\"");
    assertThat(whole.asByteArray())
        .startsWith(Arrays.copyOf(first, 100))
        .endsWith(Arrays.copyOf(last, 1000))
        .hasSize(PART_BYTES + 1000);
    assertThat(second.asByteArray()).isEqualTo(last);
    assertThat(second.response().partsCount()).isEqualTo(2);
    assertThat(second.response().sdkHttpResponse().statusCode()).isEqualTo(206);
  }

  @Test
  void completingAgainGivesTheSameAnswer() {
    String upload = create("again");
    CompletedPart part = part("again", upload, 1, randomBytes(3, 10));

    assertThat(complete("again", upload, part).eTag())
        .isEqualTo(complete("again", upload, part).eTag());
  }

  @Test
  void mistakesInTheListOfPartsAreTold() {
    String upload = create("mistakes");
    CompletedPart one = part("mistakes", upload, 1, randomBytes(4, 10));
    CompletedPart two = part("mistakes", upload, 2, randomBytes(5, 10));

    assertFails("InvalidPartOrder", () -> complete("mistakes", upload, two, one));
    assertFails("EntityTooSmall", () -> complete("mistakes", upload, one, two));
    assertFails(
        "InvalidPart", () -> complete("mistakes", upload, one.toBuilder().partNumber(3).build()));
    assertFails("MalformedXML", () -> complete("mistakes", upload));
    assertFails("NoSuchUpload", () -> complete("mistakes", "nothing", one));
  }

  @Test
  void partNumberOutOfRangeIsRefused() {
    String upload = create("numbers");

    assertFails("InvalidArgument", () -> part("numbers", upload, 0, new byte[1]));
    assertFails("InvalidArgument", () -> part("numbers", upload, 10_001, new byte[1]));
  }

  @Test
  void partsAreListedPageByPage() {
    String upload = create("pages");
    for (int number = 1; number <= 3; number++) {
      part("pages", upload, number, randomBytes(number, 10));
    }

    ListPartsResponse first =
        s3.listParts(r -> r.bucket(BUCKET).key("pages").uploadId(upload).maxParts(2));
    ListPartsResponse second =
        s3.listParts(r ->
            r.bucket(BUCKET)
                .key("pages")
                .uploadId(upload)
                .partNumberMarker(first.nextPartNumberMarker()));

    assertThat(first.parts()).extracting(part -> part.partNumber()).containsExactly(1, 2);
    assertThat(first.isTruncated()).isTrue();
    assertThat(second.parts()).extracting(part -> part.partNumber()).containsExactly(3);
    assertThat(second.isTruncated()).isFalse();
  }

  @Test
  void openUploadsAreListedUntilAborted() {
    String upload = create("open/one");
    create("open/two");

    ListMultipartUploadsResponse first =
        s3.listMultipartUploads(r -> r.bucket(BUCKET).prefix("open/").maxUploads(1));
    ListMultipartUploadsResponse second =
        s3.listMultipartUploads(r ->
            r.bucket(BUCKET)
                .prefix("open/")
                .keyMarker(first.nextKeyMarker())
                .uploadIdMarker(first.nextUploadIdMarker()));
    s3.abortMultipartUpload(r -> r.bucket(BUCKET).key("open/one").uploadId(upload));

    assertThat(first.uploads()).extracting(open -> open.key()).containsExactly("open/one");
    assertThat(second.uploads()).extracting(open -> open.key()).containsExactly("open/two");
    assertFails("NoSuchUpload", () -> part("open/one", upload, 1, new byte[1]));
  }

  @Test
  void partIsCopiedFromARangeOfAnObject() {
    s3.putObject(r -> r.bucket(BUCKET).key("source"), RequestBody.fromString("0123456789"));
    String upload = create("copied");

    String etag =
        s3.uploadPartCopy(r ->
                r.sourceBucket(BUCKET)
                    .sourceKey("source")
                    .copySourceRange("bytes=2-4")
                    .destinationBucket(BUCKET)
                    .destinationKey("copied")
                    .uploadId(upload)
                    .partNumber(1))
            .copyPartResult()
            .eTag();
    complete("copied", upload, CompletedPart.builder().partNumber(1).eTag(etag).build());

    assertThat(s3.getObjectAsBytes(r -> r.bucket(BUCKET).key("copied")).asUtf8String())
        .isEqualTo("234");
  }

  @ParameterizedTest
  @ValueSource(strings = {"bytes=0-10", "bytes=9-10", "bytes=10-10", "bytes=10-20"})
  void partIsNotCopiedFromARangeBeyondTheEndOfItsSource(String range) {
    s3.putObject(r -> r.bucket(BUCKET).key("source"), RequestBody.fromString("0123456789"));
    String upload = create("copied");

    assertThatThrownBy(() ->
            s3.uploadPartCopy(r ->
                r.sourceBucket(BUCKET)
                    .sourceKey("source")
                    .copySourceRange(range)
                    .destinationBucket(BUCKET)
                    .destinationKey("copied")
                    .uploadId(upload)
                    .partNumber(1)))
        .isInstanceOfSatisfying(
            S3Exception.class,
            refused -> {
              assertThat(refused.statusCode()).isEqualTo(400);
              assertThat(refused.awsErrorDetails().errorCode()).isEqualTo("InvalidArgument");
            });
    assertThat(s3.listParts(r -> r.bucket(BUCKET).key("copied").uploadId(upload)).parts())
        .isEmpty();
  }

  @Test
  void compositeChecksumCountsTheParts() {
    CreateMultipartUploadResponse created =
        s3.createMultipartUpload(
            r -> r.bucket(BUCKET).key("sha").checksumAlgorithm(ChecksumAlgorithm.SHA256));
    UploadPartResponse part =
        s3.uploadPart(
            r ->
                r.bucket(BUCKET)
                    .key("sha")
                    .uploadId(created.uploadId())
                    .partNumber(1)
                    .checksumAlgorithm(ChecksumAlgorithm.SHA256),
            RequestBody.fromString("x"));

    CompleteMultipartUploadResponse completed =
        complete(
            "sha",
            created.uploadId(),
            CompletedPart.builder()
                .partNumber(1)
                .eTag(part.eTag())
                .checksumSHA256(part.checksumSHA256())
                .build());

    assertThat(completed.checksumSHA256()).endsWith("-1");
    assertThat(
            s3.getObjectAttributes(r ->
                    r.bucket(BUCKET)
                        .key("sha")
                        .objectAttributes(ObjectAttributes.OBJECT_PARTS, ObjectAttributes.CHECKSUM))
                .objectParts()
                .totalPartsCount())
        .isEqualTo(1);
  }

  @Test
  void checksumTypeThatTheAlgorithmCannotHaveIsRefused() {
    assertFails(
        "InvalidRequest",
        () ->
            s3.createMultipartUpload(r ->
                r.bucket(BUCKET)
                    .key("impossible")
                    .checksumAlgorithm(ChecksumAlgorithm.SHA256)
                    .checksumType("FULL_OBJECT")));
  }

  private static String create(String key) {
    return s3.createMultipartUpload(r -> r.bucket(BUCKET).key(key)).uploadId();
  }

  private static CompletedPart part(String key, String upload, int number, byte[] bytes) {
    UploadPartResponse part =
        s3.uploadPart(
            r -> r.bucket(BUCKET).key(key).uploadId(upload).partNumber(number),
            RequestBody.fromBytes(bytes));
    return CompletedPart.builder().partNumber(number).eTag(part.eTag()).build();
  }

  private static CompleteMultipartUploadResponse complete(
      String key, String upload, CompletedPart... parts) {
    List<CompletedPart> list = new ArrayList<>(List.of(parts));
    return s3.completeMultipartUpload(
        r -> r.bucket(BUCKET).key(key).uploadId(upload).multipartUpload(m -> m.parts(list)));
  }

  private static byte[] randomBytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private static void assertFails(String code, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            S3Exception.class, e -> assertThat(e.awsErrorDetails().errorCode()).isEqualTo(code));
  }
}
