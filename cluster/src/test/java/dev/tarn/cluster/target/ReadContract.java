package dev.tarn.cluster.target;

import static dev.tarn.cluster.target.ContractFixture.attributes;
import static dev.tarn.cluster.target.ContractFixture.failure;
import static dev.tarn.cluster.target.ContractFixture.ifMatch;
import static dev.tarn.cluster.target.ContractFixture.ifModifiedSince;
import static dev.tarn.cluster.target.ContractFixture.ifNoneMatch;
import static dev.tarn.cluster.target.ContractFixture.ifUnmodifiedSince;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.randomBytes;
import static dev.tarn.cluster.target.ContractFixture.success;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Get and head: selections, conditions, versions, and that reads tell the truth. */
interface ReadContract extends ContractFixture {
  @Test
  default void aReadGivesBackTheBytesAndWhatTheWriterSaid() {
    Put request =
        new Put(
            scope(),
            key("a"),
            attributes("image/jpeg", Map.of("split", "train")),
            Set.of(),
            Preconditions.NONE);
    ObjectMetadata written = success(target().call(request, TestBody.of("hello")));
    ObjectRead read = success(target().call(getRequest("a")));
    assertThat(BodyBytes.read(read.body())).isEqualTo("hello".getBytes(UTF_8));
    assertThat(read.head().metadata()).isEqualTo(written);
    assertThat(written.etag()).isEqualTo("5d41402abc4b2a76b9719d911017c592");
    assertThat(written.attributes()).isEqualTo(request.attributes());
    assertThat(written.sizeBytes()).isEqualTo(5);
    assertThat(success(target().call(headRequest("a")))).isEqualTo(new ObjectHead(written, 0, 5));
  }

  @Test
  default void bodiesOfEverySizeComeBackAsTheyWent() {
    for (int size :
        new int[] {0, 1, 8 << 10, (256 << 10) - 1, 256 << 10, (256 << 10) + 1, 3 << 20}) {
      byte[] bytes = randomBytes(size, size);
      put("size-" + size, bytes);
      assertThat(bytes("size-" + size)).isEqualTo(bytes);
    }
  }

  @Test
  default void rangesSelectTheirBytes() {
    for (int size : new int[] {1000, 1 << 20}) {
      byte[] bytes = randomBytes(size, size);
      put("r", bytes);
      assertThat(bytes("r", new Selection.Range(0, 0))).isEqualTo(Arrays.copyOf(bytes, 1));
      assertThat(bytes("r", new Selection.Range(10, 99)))
          .isEqualTo(Arrays.copyOfRange(bytes, 10, 100));
      assertThat(bytes("r", new Selection.Range(size - 1, Long.MAX_VALUE)))
          .isEqualTo(Arrays.copyOfRange(bytes, size - 1, size));
      assertThat(bytes("r", new Selection.Suffix(7)))
          .isEqualTo(Arrays.copyOfRange(bytes, size - 7, size));
      assertThat(bytes("r", new Selection.Suffix(size + 10L))).isEqualTo(bytes);
    }
  }

  @Test
  default void aHeadOfARangeSaysWhatTheRangeComesTo() {
    ObjectMetadata metadata = put("r", randomBytes(1, 100));
    Head request =
        new Head(
            scope(), key("r"), Optional.empty(), new Selection.Range(90, 500), Preconditions.NONE);
    assertThat(success(target().call(request))).isEqualTo(new ObjectHead(metadata, 90, 10));
  }

  @Test
  default void aRangeThatStartsPastTheEndIsNotSatisfiable() {
    put("r", "0123456789");
    put("empty", "");
    assertThat(failure(get("r", new Selection.Range(10, 20))))
        .isEqualTo(new Failure.RangeNotSatisfiable(10));
    assertThat(failure(get("r", new Selection.Suffix(0))))
        .isEqualTo(new Failure.RangeNotSatisfiable(10));
    assertThat(failure(get("empty", new Selection.Range(0, 0))))
        .isEqualTo(new Failure.RangeNotSatisfiable(0));
    assertThat(failure(get("empty", new Selection.Suffix(1))))
        .isEqualTo(new Failure.RangeNotSatisfiable(0));
  }

  @Test
  default void partOneOfAnObjectWithoutPartsIsAllOfItAndThereIsNoOther() {
    put("r", "0123456789");
    assertThat(bytes("r", new Selection.Part(1))).hasSize(10);
    assertThat(failure(get("r", new Selection.Part(2)))).isEqualTo(new Failure.NoSuchPart(2));
  }

  @Test
  default void whatIsNotThereIsMissing() {
    assertThat(failure(target().call(getRequest("nothing")))).isEqualTo(new Failure.NoSuchKey());
    assertThat(failure(target().call(headRequest("nothing")))).isEqualTo(new Failure.NoSuchKey());
    put("a", "x");
    String another = "0".repeat(40);
    assertThat(
            failure(
                target()
                    .call(
                        new Head(
                            scope(),
                            key("a"),
                            Optional.of(another),
                            Selection.WHOLE,
                            Preconditions.NONE))))
        .isEqualTo(new Failure.NoSuchVersion());
  }

  @Test
  default void theVersionOfABucketWithoutVersionsIsCalledNull() {
    ObjectMetadata metadata = put("a", "x");
    assertThat(metadata.nullVersion()).isTrue();
    Head request =
        new Head(scope(), key("a"), Optional.of("null"), Selection.WHOLE, Preconditions.NONE);
    assertThat(success(target().call(request)).metadata()).isEqualTo(metadata);
  }

  @Test
  default void readsObeyEtagConditions() {
    ObjectMetadata metadata = put("a", "x");
    assertThat(failure(get("a", ifMatch("other"))))
        .isEqualTo(new Failure.PreconditionFailed("If-Match"));
    assertThat(failure(get("a", ifNoneMatch(metadata.etag()))))
        .isEqualTo(new Failure.NotModified(metadata));
    assertThat(failure(get("a", ifNoneMatch("*")))).isEqualTo(new Failure.NotModified(metadata));
    for (Preconditions holding :
        List.of(ifMatch(metadata.etag()), ifMatch("*"), ifNoneMatch("other"))) {
      assertThat(BodyBytes.read(success(get("a", holding)).body())).hasSize(1);
    }
  }

  @Test
  default void readsObeyTimeConditionsBySeconds() {
    ObjectMetadata metadata = put("a", "x");
    long timeMs = metadata.modifiedMs();
    assertThat(failure(get("a", ifModifiedSince(timeMs / 1000 * 1000))))
        .isEqualTo(new Failure.NotModified(metadata));
    assertThat(failure(get("a", ifUnmodifiedSince(timeMs - 1000))))
        .isEqualTo(new Failure.PreconditionFailed("If-Unmodified-Since"));
    for (Preconditions holding :
        List.of(ifModifiedSince(timeMs - 1000), ifUnmodifiedSince(timeMs / 1000 * 1000))) {
      assertThat(BodyBytes.read(success(get("a", holding)).body())).hasSize(1);
    }
  }

  @Test
  default void anEtagConditionOverrulesATimeConditionOfItsKind() {
    ObjectMetadata metadata = put("a", "x");
    Preconditions unmodified =
        new Preconditions(
            List.of(metadata.etag()), List.of(), OptionalLong.empty(), OptionalLong.of(0));
    Preconditions modified =
        new Preconditions(
            List.of(),
            List.of("other"),
            OptionalLong.of(metadata.modifiedMs()),
            OptionalLong.empty());
    for (Preconditions holding : List.of(unmodified, modified)) {
      assertThat(BodyBytes.read(success(get("a", holding)).body())).hasSize(1);
    }
  }

  @Test
  default void tagsAreReplacedAndNothingElse() {
    ObjectMetadata before = put("a", "x");
    TargetRequest.SetTags request =
        new TargetRequest.SetTags(scope(), key("a"), Optional.empty(), Map.of("label", "höhe"));
    ObjectMetadata after = success(target().call(request));
    assertThat(after.attributes().tags()).isEqualTo(Map.of("label", "höhe"));
    assertThat(after.etag()).isEqualTo(before.etag());
    assertThat(after.modifiedMs()).isEqualTo(before.modifiedMs());
    assertThat(success(target().call(headRequest("a"))).metadata()).isEqualTo(after);
    assertThat(text("a")).isEqualTo("x");
    assertThat(
            failure(
                target()
                    .call(
                        new TargetRequest.SetTags(
                            scope(), key("nothing"), Optional.empty(), Map.of()))))
        .isEqualTo(new Failure.NoSuchKey());
  }

  @Test
  default void theAclIsReplacedAndNothingElse() {
    ObjectMetadata before = put("a", "x");
    ObjectMetadata open = success(setAcl("a", CannedAcl.PUBLIC_READ));
    assertThat(open.attributes()).isEqualTo(before.attributes().with(CannedAcl.PUBLIC_READ));
    assertThat(open.etag()).isEqualTo(before.etag());
    assertThat(open.modifiedMs()).isEqualTo(before.modifiedMs());
    assertThat(success(target().call(headRequest("a"))).metadata()).isEqualTo(open);
    ObjectMetadata closed = success(setAcl("a", CannedAcl.PRIVATE));
    assertThat(closed.attributes()).isEqualTo(before.attributes());
    assertThat(text("a")).isEqualTo("x");
    assertThat(failure(setAcl("nothing", CannedAcl.PUBLIC_READ)))
        .isEqualTo(new Failure.NoSuchKey());
  }

  private CompletionStage<Outcome<ObjectMetadata>> setAcl(String key, CannedAcl acl) {
    return target().call(new TargetRequest.SetAcl(scope(), key(key), Optional.empty(), acl));
  }

  private CompletionStage<Outcome<ObjectRead>> get(String key, Selection selection) {
    return target().call(getRequest(key, selection, Preconditions.NONE));
  }

  private CompletionStage<Outcome<ObjectRead>> get(String key, Preconditions preconditions) {
    return target().call(getRequest(key, Selection.WHOLE, preconditions));
  }
}
