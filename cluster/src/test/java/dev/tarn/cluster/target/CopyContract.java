package dev.tarn.cluster.target;

import static dev.tarn.cluster.target.ContractFixture.attributes;
import static dev.tarn.cluster.target.ContractFixture.failure;
import static dev.tarn.cluster.target.ContractFixture.ifMatch;
import static dev.tarn.cluster.target.ContractFixture.ifNoneMatch;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.randomBytes;
import static dev.tarn.cluster.target.ContractFixture.success;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Copies: the same bytes, what is kept and what is replaced, conditions on both sides. */
interface CopyContract extends ContractFixture {
  @Test
  default void aCopyHasTheBytesAndWhatWasSaidOfTheSource() {
    ObjectMetadata source = putDescribed("from");
    ObjectMetadata copy = success(target().call(copyRequest("to", sourceOf("from"))));
    assertThat(copy.name().key()).isEqualTo(key("to"));
    assertThat(copy.etag()).isEqualTo(source.etag());
    assertThat(copy.checksums()).isEqualTo(source.checksums());
    assertThat(copy.attributes()).isEqualTo(source.attributes());
    assertThat(bytes("to")).isEqualTo(bytes("from"));
    put("from", "changed");
    assertThat(bytes("to")).isEqualTo(randomBytes(1, 400_000));
  }

  @Test
  default void aCopyMayReplaceHeadersAndTagsEachWithoutTheOther() {
    ObjectMetadata source = putDescribed("from");
    ObjectAttributes replacing =
        new ObjectAttributes(Map.of("content-type", "x/y"), Map.of(), Map.of());
    ObjectMetadata withHeaders =
        success(
            target().call(copyRequest("to", Optional.of(replacing), Optional.empty(), Set.of())));
    assertThat(withHeaders.attributes())
        .isEqualTo(new ObjectAttributes(replacing.headers(), Map.of(), source.attributes().tags()));
    ObjectMetadata withTags =
        success(
            target()
                .call(
                    copyRequest("to", Optional.empty(), Optional.of(Map.of("k", "v")), Set.of())));
    assertThat(withTags.attributes())
        .isEqualTo(
            new ObjectAttributes(
                source.attributes().headers(),
                source.attributes().userMetadata(),
                Map.of("k", "v")));
  }

  @Test
  default void aCopyHasTheAclThatItIsToHaveWhateverTheSourceHas() {
    ObjectAttributes open =
        new ObjectAttributes(
            Map.of(ObjectAttributes.ACL, "public-read", "content-type", "x/y"),
            Map.of("color", "red"),
            Map.of());
    success(
        target()
            .call(
                new Put(scope(), key("from"), open, Set.of(), Preconditions.NONE),
                TestBody.of(randomBytes(1, 100))));

    ObjectAttributes closed = open.with(CannedAcl.PRIVATE);
    for (Optional<ObjectAttributes> said :
        List.of(Optional.<ObjectAttributes>empty(), Optional.of(open), Optional.of(closed))) {
      assertThat(success(target().call(copyWith(CannedAcl.PRIVATE, said))).attributes())
          .isEqualTo(closed);
      assertThat(success(target().call(copyWith(CannedAcl.PUBLIC_READ, said))).attributes())
          .isEqualTo(open);
    }
  }

  @Test
  default void aCopyOntoItselfReplacesWhatWasSaid() {
    putDescribed("from");
    Copy request =
        new Copy(
            scope(),
            key("from"),
            sourceOf("from"),
            Optional.of(ObjectAttributes.NONE),
            Optional.of(Map.of()),
            CannedAcl.PRIVATE,
            Set.of(),
            Preconditions.NONE);
    assertThat(success(target().call(request)).attributes()).isEqualTo(ObjectAttributes.NONE);
    assertThat(bytes("from")).isEqualTo(randomBytes(1, 400_000));
  }

  @Test
  default void aCopyOfPartsKeepsThem() {
    byte[] first = randomBytes(1, MultipartContract.PART_BYTES);
    byte[] last = randomBytes(2, 10);
    ObjectMetadata source = putMultipart("from", List.of(first, last));
    ObjectMetadata copy = success(target().call(copyRequest("to", sourceOf("from"))));
    assertThat(copy.etag()).isEqualTo(source.etag());
    assertThat(copy.parts())
        .extracting(ObjectPart::etag)
        .isEqualTo(source.parts().stream().map(ObjectPart::etag).toList());
    assertThat(bytes("to", new Selection.Part(2))).isEqualTo(last);
    assertThat(bytes("to", new Selection.Part(1))).isEqualTo(first);
  }

  @Test
  default void aCopyWithChecksumsIsComputedAnewInOnePiece() {
    byte[] only = randomBytes(1, 1000);
    putMultipart("from", List.of(only));
    ObjectMetadata expected =
        success(
            target()
                .call(
                    new Put(
                        scope(),
                        key("plain"),
                        ObjectAttributes.NONE,
                        Set.of(ChecksumAlgorithm.SHA1),
                        Preconditions.NONE),
                    TestBody.of(only)));
    ObjectMetadata copy =
        success(
            target()
                .call(
                    copyRequest(
                        "to", Optional.empty(), Optional.empty(), Set.of(ChecksumAlgorithm.SHA1))));
    assertThat(copy.etag()).isEqualTo(expected.etag());
    assertThat(copy.checksums()).isEqualTo(expected.checksums());
    assertThat(copy.parts()).isEmpty();
  }

  @Test
  default void aCopyObeysConditionsOnItsSource() {
    ObjectMetadata source = putDescribed("from");
    assertThat(failure(target().call(copyRequest("to", sourceIf(ifMatch("other"))))))
        .isEqualTo(new Failure.PreconditionFailed("If-Match"));
    assertThat(failure(target().call(copyRequest("to", sourceIf(ifNoneMatch(source.etag()))))))
        .isEqualTo(new Failure.PreconditionFailed("If-None-Match"));
    assertThat(failure(target().call(copyRequest("to", sourceOf("nothing")))))
        .isEqualTo(new Failure.NoSuchKey());
    assertThat(failure(target().call(headRequest("to")))).isEqualTo(new Failure.NoSuchKey());
    success(target().call(copyRequest("to", sourceIf(ifMatch(source.etag())))));
  }

  @Test
  default void aCopyObeysConditionsOnItsDestination() {
    putDescribed("from");
    put("to", "before");
    Copy request =
        new Copy(
            scope(),
            key("to"),
            sourceOf("from"),
            Optional.empty(),
            Optional.empty(),
            CannedAcl.PRIVATE,
            Set.of(),
            ifNoneMatch("*"));
    assertThat(failure(target().call(request)))
        .isEqualTo(new Failure.PreconditionFailed("If-None-Match"));
    assertThat(text("to")).isEqualTo("before");
  }

  @Test
  default void aPartIsCopiedFromARangeOfAnObject() {
    putDescribed("from");
    byte[] bytes = randomBytes(1, 400_000);
    String uploadId = createUpload("m", Optional.of(ChecksumAlgorithm.CRC32C));
    ObjectPart part =
        success(target().call(copyPart(uploadId, "from", new Selection.Range(1000, 300_999))));
    assertThat(part.sizeBytes()).isEqualTo(300_000);
    assertThat(part.checksums()).hasSize(1);
    ObjectMetadata metadata = success(target().call(completeRequest("m", uploadId, List.of(part))));
    assertThat(metadata.sizeBytes()).isEqualTo(300_000);
    assertThat(bytes("m")).isEqualTo(Arrays.copyOfRange(bytes, 1000, 301_000));
  }

  @Test
  default void aPartCopiedFromWhatIsNotThereFails() {
    put("small", "0123456789");
    String uploadId = createUpload("m");
    assertThat(failure(target().call(copyPart(uploadId, "nothing", Selection.WHOLE))))
        .isEqualTo(new Failure.NoSuchKey());
    assertThat(failure(target().call(copyPart(uploadId, "small", new Selection.Range(10, 20)))))
        .isEqualTo(new Failure.RangeNotSatisfiable(10));
    assertThat(failure(target().call(copyPart("never-begun", "small", Selection.WHOLE))))
        .isEqualTo(new Failure.NoSuchUpload());
  }

  private ObjectMetadata putDescribed(String key) {
    Put request =
        new Put(
            scope(),
            key(key),
            attributes("image/jpeg", Map.of("split", "train")),
            Set.of(ChecksumAlgorithm.CRC32),
            Preconditions.NONE);
    return success(target().call(request, TestBody.of(randomBytes(1, 400_000))));
  }

  private CopySource sourceIf(Preconditions preconditions) {
    return new CopySource(scope(), key("from"), Optional.empty(), preconditions);
  }

  private Copy copyRequest(
      String key,
      Optional<ObjectAttributes> attributes,
      Optional<Map<String, String>> tags,
      Set<ChecksumAlgorithm> checksums) {
    return new Copy(
        scope(),
        key(key),
        sourceOf("from"),
        attributes,
        tags,
        CannedAcl.PRIVATE,
        checksums,
        Preconditions.NONE);
  }

  private Copy copyWith(CannedAcl acl, Optional<ObjectAttributes> attributes) {
    return new Copy(
        scope(),
        key("to"),
        sourceOf("from"),
        attributes,
        Optional.empty(),
        acl,
        Set.of(),
        Preconditions.NONE);
  }

  private CopyPart copyPart(String uploadId, String source, Selection selection) {
    return new CopyPart(scope(), key("m"), uploadId, 1, sourceOf(source), selection);
  }
}
