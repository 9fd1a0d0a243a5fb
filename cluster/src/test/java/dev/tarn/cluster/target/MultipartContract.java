package dev.tarn.cluster.target;

import static dev.tarn.cluster.target.ContractFixture.attributes;
import static dev.tarn.cluster.target.ContractFixture.failure;
import static dev.tarn.cluster.target.ContractFixture.ifNoneMatch;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.randomBytes;
import static dev.tarn.cluster.target.ContractFixture.success;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CompletedPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Multipart uploads: parts, their order and size, checksums of the whole, completion. */
interface MultipartContract extends ContractFixture {
  /** The least that a part before the last must have. */
  int PART_BYTES = (int) UploadRequest.PART_BYTES_MIN;

  @Test
  default void partsBecomeAnObject() {
    byte[] bytes = randomBytes(1, PART_BYTES + 1000);
    byte[] first = Arrays.copyOf(bytes, PART_BYTES);
    byte[] last = Arrays.copyOfRange(bytes, PART_BYTES, bytes.length);
    ObjectAttributes attributes = attributes("video/mp4", Map.of("split", "test"));
    String uploadId =
        success(
            target()
                .call(
                    new CreateUpload(
                        scope(), key("m"), attributes, Optional.empty(), Optional.empty())));
    ObjectPart two = putPart("m", uploadId, 7, last);
    ObjectPart one = putPart("m", uploadId, 2, first);
    assertThat(failure(target().call(headRequest("m")))).isEqualTo(new Failure.NoSuchKey());
    ObjectMetadata metadata =
        success(target().call(completeRequest("m", uploadId, List.of(one, two))));
    assertThat(bytes("m")).isEqualTo(bytes);
    assertThat(metadata.etag()).matches("[0-9a-f]{32}-2");
    assertThat(metadata.attributes()).isEqualTo(attributes);
    assertThat(metadata.parts()).extracting(ObjectPart::number).containsExactly(2, 7);
    assertThat(bytes("m", new Selection.Part(7))).isEqualTo(last);
    assertThat(failure(target().call(getRequest("m", new Selection.Part(1), Preconditions.NONE))))
        .isEqualTo(new Failure.NoSuchPart(1));
    assertThat(bytes("m", new Selection.Range(PART_BYTES - 5, PART_BYTES + 4)))
        .isEqualTo(Arrays.copyOfRange(bytes, PART_BYTES - 5, PART_BYTES + 5));
  }

  @Test
  default void theEtagOfPartsIsTheMd5OfTheirMd5sAndTheirNumber() {
    String uploadId = createUpload("m");
    ObjectPart part = putPart("m", uploadId, 1, "hello".getBytes(UTF_8));
    assertThat(part.etag()).isEqualTo("5d41402abc4b2a76b9719d911017c592");
    ObjectMetadata metadata = success(target().call(completeRequest("m", uploadId, List.of(part))));
    assertThat(metadata.etag()).isEqualTo("62109206880d38a4010a98e11243924a-1");
  }

  @Test
  default void aPartSentAgainReplaces() {
    String uploadId = createUpload("m");
    ObjectPart old = putPart("m", uploadId, 1, randomBytes(1, 100));
    byte[] bytes = randomBytes(2, 200);
    ObjectPart replacement = putPart("m", uploadId, 1, bytes);
    assertThat(failure(target().call(completeRequest("m", uploadId, List.of(old)))))
        .isEqualTo(new Failure.InvalidPart(1));
    success(target().call(completeRequest("m", uploadId, List.of(replacement))));
    assertThat(bytes("m")).isEqualTo(bytes);
  }

  @Test
  default void partsThatCompleteDoesNotNameAreLeftOut() {
    String uploadId = createUpload("m");
    putPart("m", uploadId, 1, randomBytes(1, 100));
    ObjectPart second = putPart("m", uploadId, 2, randomBytes(2, 50));
    success(target().call(completeRequest("m", uploadId, List.of(second))));
    assertThat(bytes("m")).isEqualTo(randomBytes(2, 50));
  }

  @Test
  default void aCompletionThatNamesItsPartsWronglyChangesNothing() {
    String uploadId = createUpload("m");
    ObjectPart one = putPart("m", uploadId, 1, randomBytes(1, 100));
    ObjectPart two = putPart("m", uploadId, 2, randomBytes(2, 100));
    ObjectPart unknown = new ObjectPart(3, 1, one.etag(), List.of(), 0);
    assertThat(failure(target().call(completeRequest("m", uploadId, List.of()))))
        .isInstanceOf(Failure.InvalidRequest.class);
    assertThat(failure(target().call(completeRequest("m", uploadId, List.of(two, one)))))
        .isEqualTo(new Failure.InvalidPartOrder(1));
    assertThat(failure(target().call(completeRequest("m", uploadId, List.of(one, one)))))
        .isEqualTo(new Failure.InvalidPartOrder(1));
    assertThat(failure(target().call(completeRequest("m", uploadId, List.of(one, unknown)))))
        .isEqualTo(new Failure.InvalidPart(3));
    assertThat(failure(target().call(completeRequest("m", uploadId, List.of(one, two)))))
        .isEqualTo(new Failure.PartTooSmall(1, 100, UploadRequest.PART_BYTES_MIN));
    assertThat(failure(target().call(headRequest("m")))).isEqualTo(new Failure.NoSuchKey());
    assertThat(success(listParts("m", uploadId, 0, 10)).parts()).containsExactly(one, two);
  }

  @Test
  default void aCompletionAskedForAgainGivesTheSameAnswer() {
    String uploadId = createUpload("m");
    ObjectPart part = putPart("m", uploadId, 1, randomBytes(1, 100));
    Complete request = completeRequest("m", uploadId, List.of(part));
    ObjectMetadata metadata = success(target().call(request));
    assertThat(success(target().call(request))).isEqualTo(metadata);
    put("m", "overwritten");
    assertThat(failure(target().call(request))).isEqualTo(new Failure.NoSuchUpload());
    assertThat(text("m")).isEqualTo("overwritten");
  }

  @Test
  default void aCompletionObeysItsConditionsAndCanBeTriedAgain() {
    put("m", "before");
    String uploadId = createUpload("m");
    ObjectPart part = putPart("m", uploadId, 1, randomBytes(1, 100));
    Complete plain = completeRequest("m", uploadId, List.of(part));
    Complete conditional =
        new Complete(
            scope(),
            key("m"),
            uploadId,
            plain.parts(),
            OptionalLong.empty(),
            Optional.empty(),
            ifNoneMatch("*"));
    assertThat(failure(target().call(conditional)))
        .isEqualTo(new Failure.PreconditionFailed("If-None-Match"));
    assertThat(text("m")).isEqualTo("before");
    success(target().call(plain));
  }

  @Test
  default void aCompletionChecksTheSizeThatTheClientExpects() {
    String uploadId = createUpload("m");
    ObjectPart part = putPart("m", uploadId, 1, randomBytes(1, 100));
    Complete plain = completeRequest("m", uploadId, List.of(part));
    assertThat(failure(target().call(expecting(plain, 101, Optional.empty()))))
        .isInstanceOf(Failure.InvalidRequest.class);
    success(target().call(expecting(plain, 100, Optional.empty())));
  }

  @Test
  default void aDeclaredAlgorithmIsComputedOverThePartsAndComparedWithWhatTheClientExpects() {
    String uploadId = createUpload("m", Optional.of(ChecksumAlgorithm.SHA256));
    ObjectPart part = putPart("m", uploadId, 1, "123456789".getBytes(UTF_8));
    assertThat(part.checksums())
        .containsExactly(
            new ObjectChecksum(
                ChecksumAlgorithm.SHA256,
                ChecksumType.FULL_OBJECT,
                "FeKw08M4keuw8e9gnsQZQgwg4yDOlMZfvIwzEkSOsiU="));
    ObjectChecksum composite =
        new ObjectChecksum(
            ChecksumAlgorithm.SHA256,
            ChecksumType.COMPOSITE,
            "KSsNAHVmgy25S/rmic1w0at3KBH9RLn0nYVQ7p6mpJQ=-1");
    ObjectChecksum wrong =
        new ObjectChecksum(
            ChecksumAlgorithm.SHA256, ChecksumType.COMPOSITE, "x".repeat(43) + "=-1");
    Complete plain = completeRequest("m", uploadId, List.of(part));
    assertThat(failure(target().call(expecting(plain, 9, Optional.of(wrong)))))
        .isEqualTo(new Failure.BadChecksum(ChecksumAlgorithm.SHA256));
    assertThat(success(target().call(expecting(plain, 9, Optional.of(composite)))).checksums())
        .containsExactly(composite);
  }

  @Test
  default void aFullObjectChecksumIsThatOfAllBytes() {
    byte[] bytes = randomBytes(3, PART_BYTES + 10);
    for (ChecksumAlgorithm algorithm :
        List.of(ChecksumAlgorithm.CRC32, ChecksumAlgorithm.CRC32C, ChecksumAlgorithm.CRC64NVME)) {
      ObjectMetadata whole =
          success(
              target()
                  .call(
                      new TargetRequest.Put(
                          scope(),
                          key("whole"),
                          ObjectAttributes.NONE,
                          Set.of(algorithm),
                          Preconditions.NONE),
                      TestBody.of(bytes)));
      String uploadId =
          success(
              target()
                  .call(
                      new CreateUpload(
                          scope(),
                          key("m"),
                          ObjectAttributes.NONE,
                          Optional.of(algorithm),
                          Optional.of(ChecksumType.FULL_OBJECT))));
      ObjectPart one = putPart("m", uploadId, 1, Arrays.copyOf(bytes, PART_BYTES));
      ObjectPart two =
          putPart("m", uploadId, 2, Arrays.copyOfRange(bytes, PART_BYTES, bytes.length));
      ObjectMetadata metadata =
          success(target().call(completeRequest("m", uploadId, List.of(one, two))));
      assertThat(metadata.checksums()).isEqualTo(whole.checksums());
    }
  }

  @Test
  default void aPartsChecksumThatWasNeverDeclaredIsCheckedAndGivesTheObjectOne() {
    String uploadId = createUpload("m");
    DeclaredDigests digests =
        new DeclaredDigests(
            Optional.empty(),
            List.of(
                new ObjectChecksum(
                    ChecksumAlgorithm.CRC64NVME, ChecksumType.FULL_OBJECT, "rosUhgp5mIg=")));
    PutPart request = new PutPart(scope(), key("m"), uploadId, 1, Set.of());
    assertThat(failure(target().call(request, TestBody.of("12345678").declaring(digests))))
        .isEqualTo(new Failure.BadChecksum(ChecksumAlgorithm.CRC64NVME));
    ObjectPart part = success(target().call(request, TestBody.of("123456789").declaring(digests)));
    assertThat(part.checksums()).isEqualTo(digests.checksums());
    assertThat(success(target().call(completeRequest("m", uploadId, List.of(part)))).checksums())
        .isEqualTo(digests.checksums());
  }

  @Test
  default void aCompletedPartMustHaveTheChecksumThatTheClientNames() {
    String uploadId = createUpload("m", Optional.of(ChecksumAlgorithm.CRC32));
    ObjectPart part = putPart("m", uploadId, 1, randomBytes(1, 10));
    ObjectChecksum wrong =
        new ObjectChecksum(ChecksumAlgorithm.CRC32, ChecksumType.FULL_OBJECT, "AAAAAA==");
    assertThat(failure(target().call(naming(uploadId, List.of(wrong)))))
        .isEqualTo(new Failure.InvalidPart(1));
    assertThat(success(target().call(naming(uploadId, part.checksums()))).sizeBytes())
        .isEqualTo(10);
  }

  private Complete naming(String uploadId, List<ObjectChecksum> checksums) {
    return new Complete(
        scope(),
        key("m"),
        uploadId,
        List.of(new CompletedPart(1, "", checksums)),
        OptionalLong.empty(),
        Optional.empty(),
        Preconditions.NONE);
  }

  @Test
  default void partsAreListedInPagesByNumber() {
    String uploadId = createUpload("m", Optional.of(ChecksumAlgorithm.CRC32));
    for (int number : new int[] {5, 1, 10_000, 3}) {
      putPart("m", uploadId, number, randomBytes(number, number % 100));
    }
    PartPage whole = success(listParts("m", uploadId, 0, 1000));
    assertThat(whole.parts()).extracting(ObjectPart::number).containsExactly(1, 3, 5, 10_000);
    assertThat(whole.truncated()).isFalse();
    assertThat(whole.checksum()).contains(ChecksumAlgorithm.CRC32);
    PartPage page = success(listParts("m", uploadId, 1, 2));
    assertThat(page.parts()).extracting(ObjectPart::number).containsExactly(3, 5);
    assertThat(page.truncated()).isTrue();
    assertThat(success(listParts("m", uploadId, 5, 1)).truncated()).isFalse();
    assertThat(success(listParts("m", uploadId, 0, 0)))
        .satisfies(empty -> assertThat(empty.parts()).isEmpty())
        .satisfies(empty -> assertThat(empty.truncated()).isFalse());
  }

  @Test
  default void anAbortedUploadIsGone() {
    String uploadId = createUpload("m");
    ObjectPart part = putPart("m", uploadId, 1, randomBytes(1, 10));
    success(target().call(new Abort(scope(), key("m"), uploadId)));
    assertThat(failure(target().call(new Abort(scope(), key("m"), uploadId))))
        .isEqualTo(new Failure.NoSuchUpload());
    assertUnknown("m", uploadId, part);
  }

  @Test
  default void anUploadBelongsToItsKey() {
    String uploadId = createUpload("m");
    ObjectPart part = putPart("m", uploadId, 1, randomBytes(1, 10));
    assertUnknown("other", uploadId, part);
    assertUnknown("m", "never-begun", part);
  }

  @Test
  default void aPartWhoseBodyFailsIsNotStored() {
    String uploadId = createUpload("m");
    PutPart request = new PutPart(scope(), key("m"), uploadId, 1, Set.of());
    assertThat(
            failure(
                target()
                    .call(request, TestBody.of("half").declaredLength(8).thenFailing("broken"))))
        .isEqualTo(new Failure.IncompleteBody("broken"));
    assertThat(success(listParts("m", uploadId, 0, 10)).parts()).isEmpty();
  }

  private void assertUnknown(String key, String uploadId, ObjectPart part) {
    Failure unknown = new Failure.NoSuchUpload();
    assertThat(
            failure(
                target()
                    .call(new PutPart(scope(), key(key), uploadId, 1, Set.of()), TestBody.of("x"))))
        .isEqualTo(unknown);
    assertThat(failure(listParts(key, uploadId, 0, 10))).isEqualTo(unknown);
    assertThat(failure(target().call(completeRequest(key, uploadId, List.of(part)))))
        .isEqualTo(unknown);
  }

  private static Complete expecting(
      Complete plain, long sizeBytes, Optional<ObjectChecksum> checksum) {
    return new Complete(
        plain.scope(),
        plain.key(),
        plain.uploadId(),
        plain.parts(),
        OptionalLong.of(sizeBytes),
        checksum,
        plain.preconditions());
  }

  private CompletionStage<Outcome<PartPage>> listParts(
      String key, String uploadId, int after, int max) {
    return target().call(new ListParts(scope(), key(key), uploadId, after, max));
  }
}
