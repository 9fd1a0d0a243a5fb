package dev.tarn.cluster.target;

import static dev.tarn.cluster.control.Versioning.ENABLED;
import static dev.tarn.cluster.control.Versioning.OFF;
import static dev.tarn.cluster.control.Versioning.SUSPENDED;
import static dev.tarn.cluster.target.ContractFixture.failure;
import static dev.tarn.cluster.target.ContractFixture.ifMatch;
import static dev.tarn.cluster.target.ContractFixture.ifNoneMatch;
import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.randomBytes;
import static dev.tarn.cluster.target.ContractFixture.success;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Flow;
import org.junit.jupiter.api.Test;

/** Versions: what writes and deletes leave in each state of versioning, and who may be read. */
public interface VersionContract extends VersionFixture {
  @Test
  default void eachWriteMakesAVersionAndThoseBeforeItStay() {
    setVersioning(ENABLED);
    ObjectMetadata first = put("a", "first");
    ObjectMetadata second = put("a", "second");
    assertThat(first.nullVersion()).isFalse();
    assertThat(second.version()).isGreaterThan(first.version());
    assertThat(text("a")).isEqualTo("second");
    assertThat(text("a", first.versionText())).isEqualTo("first");
    assertThat(text("a", second.versionText())).isEqualTo("second");
    assertThat(metadata("a", first.versionText())).isEqualTo(first);
    assertThat(versions())
        .containsExactly("a " + second.versionText() + " *", "a " + first.versionText());
    assertThat(keys()).containsExactly("a");
  }

  @Test
  default void aDeleteWithoutAVersionMakesADeleteMarker() {
    String first = put(ENABLED, "a", "first");
    Deleted deleted = delete("a");
    String marker = deleted.versionText();
    assertThat(deleted).isEqualTo(new Deleted(true, true, marker));
    assertThat(refusal("a")).isEqualTo(new Failure.NoSuchKey(Optional.of(marker)));
    assertThat(refusal("a", marker))
        .isInstanceOfSatisfying(
            Failure.VersionIsDeleteMarker.class,
            failure -> assertThat(failure.versionText()).isEqualTo(marker));
    assertThat(text("a", first)).isEqualTo("first");
    assertThat(keys()).isEmpty();
    assertThat(versions()).containsExactly("a " + marker + " deleted *", "a " + first);
    assertThat(delete("never")).matches(made -> !made.existed() && made.deleteMarker());
  }

  @Test
  default void aDeleteOfADeleteMarkerBringsTheObjectBack() {
    String first = put(ENABLED, "a", "first");
    String marker = delete("a").versionText();
    assertThat(delete("a", marker)).isEqualTo(new Deleted(true, true, marker));
    assertThat(text("a")).isEqualTo("first");
    assertThat(versions()).containsExactly("a " + first + " *");
    assertThat(keys()).containsExactly("a");
  }

  @Test
  default void aDeleteOfAVersionRemovesThatOneAlone() {
    String first = put(ENABLED, "a", "first");
    String second = put(ENABLED, "a", "second");
    String third = put(ENABLED, "a", "third");
    assertThat(delete("a", second)).isEqualTo(new Deleted(true, false, second));
    assertThat(text("a")).isEqualTo("third");
    assertThat(delete("a", third)).isEqualTo(new Deleted(true, false, third));
    assertThat(text("a")).isEqualTo("first");
    assertThat(refusal("a", third)).isEqualTo(new Failure.NoSuchVersion());
    assertThat(delete("a", third)).isEqualTo(new Deleted(false, false, third));
    assertThat(versions()).containsExactly("a " + first + " *");
    delete("a", first);
    assertThat(versions()).isEmpty();
    assertThat(keys()).isEmpty();
    assertThat(refusal("a")).isEqualTo(new Failure.NoSuchKey());
    put("a", "again");
    assertThat(text("a")).isEqualTo("again");
  }

  @Test
  default void whatWasThereBeforeVersioningIsTheNullVersion() {
    put(OFF, "a", "before");
    String after = put(ENABLED, "a", "after");
    assertThat(text("a")).isEqualTo("after");
    assertThat(text("a", "null")).isEqualTo("before");
    assertThat(versions()).containsExactly("a " + after + " *", "a null");
    assertThat(delete("a", "null")).isEqualTo(new Deleted(true, false, "null"));
    assertThat(versions()).containsExactly("a " + after + " *");
    assertThat(refusal("a", "null")).isEqualTo(new Failure.NoSuchVersion());
    assertThat(delete("a", "null").existed()).isFalse();
  }

  @Test
  default void aNullVersionAnswersToItsOwnTextUntilItIsReplaced() {
    setVersioning(OFF);
    String first = put("a", "first").version().text();
    assertThat(text("a", first)).isEqualTo("first");
    put("a", "second");
    assertThat(refusal("a", first)).isEqualTo(new Failure.NoSuchVersion());
    assertThat(delete("a", first).existed()).isFalse();
    setVersioning(SUSPENDED);
    String third = put("a", "third").version().text();
    assertThat(delete("a", third)).isEqualTo(new Deleted(true, false, "null"));
    assertThat(versions()).isEmpty();
  }

  @Test
  default void aWriteWhileSuspendedReplacesTheNullVersionWhereverItStands() {
    put(OFF, "a", "before");
    String kept = put(ENABLED, "a", "kept");
    assertThat(put(SUSPENDED, "a", "third")).isEqualTo("null");
    assertThat(text("a")).isEqualTo("third");
    assertThat(versions()).containsExactly("a null *", "a " + kept);
    put(SUSPENDED, "a", "fourth");
    assertThat(text("a", "null")).isEqualTo("fourth");
    assertThat(text("a", kept)).isEqualTo("kept");
    assertThat(versions()).containsExactly("a null *", "a " + kept);
    String last = put(ENABLED, "a", "last");
    assertThat(versions()).containsExactly("a " + last + " *", "a null", "a " + kept);
  }

  @Test
  default void aDeleteWhileSuspendedPutsANullMarkerInTheNullVersionsPlace() {
    put(OFF, "a", "before");
    String kept = put(ENABLED, "a", "kept");
    setVersioning(SUSPENDED);
    assertThat(delete("a")).isEqualTo(new Deleted(true, true, "null"));
    assertThat(refusal("a")).isEqualTo(new Failure.NoSuchKey(Optional.of("null")));
    assertThat(versions()).containsExactly("a null deleted *", "a " + kept);
    assertThat(delete("a")).isEqualTo(new Deleted(false, true, "null"));
    assertThat(versions()).containsExactly("a null deleted *", "a " + kept);
    assertThat(delete("a", "null")).isEqualTo(new Deleted(true, true, "null"));
    assertThat(text("a")).isEqualTo("kept");
    delete("a");
    put(SUSPENDED, "a", "new");
    assertThat(text("a")).isEqualTo("new");
    assertThat(versions()).containsExactly("a null *", "a " + kept);
  }

  @Test
  default void aWriteGoesByTheVersioningThereIsWhenItsLastByteHasCome() {
    put(OFF, "a", "before");
    ObjectMetadata made =
        success(
            target()
                .call(
                    putRequest("a", Preconditions.NONE),
                    bodyWhileVersioningBecomes(ENABLED, "after")));
    assertThat(made.nullVersion()).isFalse();
    assertThat(text("a", "null")).isEqualTo("before");
    assertThat(versions()).containsExactly("a " + made.versionText() + " *", "a null");
  }

  private IncomingBody bodyWhileVersioningBecomes(Versioning next, String text) {
    TestBody body = TestBody.of(text);
    return new IncomingBody() {
      @Override
      public long length() {
        return body.length();
      }

      @Override
      public Flow.Publisher<ByteBuffer> bytes() {
        return subscriber -> {
          setVersioning(next);
          body.bytes().subscribe(subscriber);
        };
      }

      @Override
      public DeclaredDigests declaredDigests() {
        return body.declaredDigests();
      }
    };
  }

  @Test
  default void aVersionThatNeverWasIsMissing() {
    put(ENABLED, "a", "x");
    for (String version : List.of("null", "0".repeat(40), "what", "")) {
      assertThat(refusal("a", version)).isEqualTo(new Failure.NoSuchVersion());
      assertThat(refusal("nothing", version)).isEqualTo(new Failure.NoSuchVersion());
    }
    assertThat(delete("a", "0".repeat(40))).isEqualTo(new Deleted(false, false, "0".repeat(40)));
    assertThat(delete("a", "what").existed()).isFalse();
    assertThat(text("a")).isEqualTo("x");
  }

  @Test
  default void preconditionsJudgeTheCurrentVersion() {
    setVersioning(ENABLED);
    ObjectMetadata first = put("a", "first");
    ObjectMetadata second = put("a", "second");
    assertThat(failure(target().call(putRequest("a", ifMatch(first.etag())), TestBody.of("x"))))
        .isEqualTo(new Failure.PreconditionFailed("If-Match"));
    assertThat(failure(target().call(putRequest("a", ifNoneMatch("*")), TestBody.of("x"))))
        .isEqualTo(new Failure.PreconditionFailed("If-None-Match"));
    Delete conditional = new Delete(scope(), key("a"), Optional.empty(), ifMatch(first.etag()));
    assertThat(failure(target().call(conditional)))
        .isEqualTo(new Failure.PreconditionFailed("If-Match"));
    success(target().call(putRequest("a", ifMatch(second.etag())), TestBody.of("third")));
    delete("a");
    assertThat(failure(target().call(putRequest("a", ifMatch("*")), TestBody.of("x"))))
        .isEqualTo(new Failure.NoSuchKey());
    success(target().call(putRequest("a", ifNoneMatch("*")), TestBody.of("anew")));
    assertThat(text("a")).isEqualTo("anew");
    assertThat(versions()).hasSize(5);
  }

  @Test
  default void tagsAreOfOneVersion() {
    String first = put(ENABLED, "a", "first");
    String second = put(ENABLED, "a", "second");
    setTags("a", Optional.of(first), Map.of("of", "first"));
    setTags("a", Optional.empty(), Map.of("of", "second"));
    assertThat(metadata("a", first).attributes().tags()).isEqualTo(Map.of("of", "first"));
    assertThat(metadata("a", second).attributes().tags()).isEqualTo(Map.of("of", "second"));
    assertThat(text("a", first)).isEqualTo("first");
    assertThat(versions()).containsExactly("a " + second + " *", "a " + first);
    String marker = delete("a").versionText();
    SetTags ofMarker = new SetTags(scope(), key("a"), Optional.of(marker), Map.of("k", "v"));
    assertThat(failure(target().call(ofMarker))).isInstanceOf(Failure.VersionIsDeleteMarker.class);
  }

  private void setTags(String key, Optional<String> version, Map<String, String> tags) {
    success(target().call(new SetTags(scope(), key(key), version, tags)));
  }

  @Test
  default void aCopyIsOfTheVersionThatItNames() {
    byte[] large = randomBytes(1, 700_000);
    setVersioning(ENABLED);
    String first = put("a", large).versionText();
    put("a", "second");
    ObjectMetadata copied = success(target().call(copyRequest("b", source("a", first))));
    assertThat(copied.nullVersion()).isFalse();
    assertThat(bytes("b")).isEqualTo(large);
    success(target().call(copyRequest("b", sourceOf("a"))));
    assertThat(text("b")).isEqualTo("second");
    success(target().call(copyRequest("a", source("a", first))));
    assertThat(bytes("a")).isEqualTo(large);
    assertThat(versions()).hasSize(5);
    assertThat(failure(target().call(copyRequest("b", source("a", "0".repeat(40))))))
        .isEqualTo(new Failure.NoSuchVersion());
  }

  @Test
  default void aDeleteMarkerIsNotCopied() {
    put(ENABLED, "a", "first");
    String marker = delete("a").versionText();
    Copy ofNewest = copyRequest("b", sourceOf("a"));
    assertThat(failure(target().call(ofNewest)))
        .isEqualTo(new Failure.NoSuchKey(Optional.of(marker)));
    assertThat(failure(target().call(copyRequest("b", source("a", marker)))))
        .isInstanceOf(Failure.InvalidRequest.class);
    CopyPart part = copyPart(createUpload("b"), source("a", marker));
    assertThat(failure(target().call(part))).isInstanceOf(Failure.InvalidRequest.class);
  }

  @Test
  default void aPartIsCopiedOfTheVersionThatItNames() {
    String first = put(ENABLED, "a", "first");
    put(ENABLED, "a", "second");
    String upload = createUpload("b");
    ObjectPart part = success(target().call(copyPart(upload, source("a", first))));
    ObjectMetadata made = success(target().call(completeRequest("b", upload, List.of(part))));
    assertThat(made.nullVersion()).isFalse();
    assertThat(text("b")).isEqualTo("first");
  }

  private CopySource source(String key, String version) {
    return new CopySource(scope(), key(key), Optional.of(version), Preconditions.NONE);
  }

  private CopyPart copyPart(String upload, CopySource source) {
    return new CopyPart(scope(), key("b"), upload, 1, source, Selection.WHOLE);
  }

  @Test
  default void aCompletionMakesAVersionAndIsTheSameWhenAskedAgain() {
    String first = put(ENABLED, "a", "first");
    String upload = createUpload("a");
    ObjectPart part = putPart("a", upload, 1, randomBytes(1, 10));
    ObjectMetadata made = success(target().call(completeRequest("a", upload, List.of(part))));
    assertThat(success(target().call(completeRequest("a", upload, List.of(part))))).isEqualTo(made);
    assertThat(versions()).containsExactly("a " + made.versionText() + " *", "a " + first);
    setVersioning(SUSPENDED);
    String another = createUpload("a");
    part = putPart("a", another, 1, randomBytes(2, 10));
    made = success(target().call(completeRequest("a", another, List.of(part))));
    assertThat(made.versionText()).isEqualTo("null");
    assertThat(versions()).hasSize(3);
  }
}
