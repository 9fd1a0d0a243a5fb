package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.Origin;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.fixtures.s3.StoredObjects.Stored;
import dev.tarn.fixtures.target.TestBody;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.FieldSource;

/** What a cached bucket promises, before S3 servers that answer differently. */
@ParameterizedClass
@FieldSource("DIALECTS")
class OtherBackendsTest {
  static final List<Dialect> DIALECTS =
      List.of(Dialect.AWS, Dialect.CEPH, Dialect.MINIO, Dialect.GCS, Dialect.R2, Dialect.OLD);

  private static final List<String> KEYS =
      List.of(
          "/leading",
          "a b+c%20d",
          "a//b",
          "a/../b",
          "ends/",
          "é",
          "\uFFFF",
          "\uD83D\uDE00",
          "~!*'()");

  private static final int UNIT = 8 << 20;

  private final Dialect dialect;
  private final SmallS3 other;
  private final BackedNode bucket;
  private final Calls calls;

  OtherBackendsTest(Dialect dialect, @TempDir Path folder) {
    this.dialect = dialect;
    other = SmallS3.start(dialect);
    bucket = new BackedNode(folder, other, "data/");
    calls = bucket.calls();
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @Test
  void objectsOfEverySizeAreWrittenReadAndDeleted() {
    for (int size : List.of(0, 5, 300_000, 2 * UNIT + 1)) {
      byte[] bytes = bytes(size);
      String key = "size-" + size;
      value(calls.put(key, bytes));
      other.objects().put("data/there-" + size, bytes, Map.of());

      assertThat(there(key).bytes()).isEqualTo(bytes);
      assertThat(Arrays.equals(value(calls.get(key)), bytes)).isTrue();
      assertThat(Arrays.equals(value(calls.get("there-" + size)), bytes)).isTrue();

      value(calls.delete(key));
      assertThat(other.objects().find("data/" + key, null).filter(live -> !live.deleteMarker()))
          .isEmpty();
      assertThat(calls.get(key)).isInstanceOf(Outcome.Failed.class);
    }
  }

  @Test
  void headersAndMetadataArriveAndReturnAsTheyWereSent() {
    Map<String, String> headers =
        Map.of(
            "content-type", "text/plain",
            "content-disposition", "attachment; filename=\"Ä日.txt\"",
            "content-encoding", "gzip",
            "content-language", "de",
            "cache-control", "no-cache",
            "expires", "Wed, 21 Oct 2026 07:28:00 GMT",
            "x-amz-website-redirect-location", "/other",
            "x-amz-storage-class", "STANDARD_IA");
    ObjectAttributes given =
        new ObjectAttributes(headers, Map.of("who", "Äö日 \uD83D\uDE00", "latin", "é"), Map.of());

    value(
        Calls.await(
            bucket
                .node()
                .target()
                .call(
                    new TargetRequest.Put(
                        bucket.scope(), ObjectKey.of("key"), given, Set.of(), Preconditions.NONE),
                    TestBody.of(bytes(10)))));

    Map<String, String> stored = new HashMap<>(there("key").headers());
    // The small S3 keeps the encoding of the request, as some servers do.
    stored.computeIfPresent("content-encoding", (name, value) -> value.replace(",aws-chunked", ""));
    assertThat(stored)
        .containsAllEntriesOf(headers)
        .containsEntry("x-amz-meta-who", "Äö日 \uD83D\uDE00")
        .containsEntry("x-amz-meta-latin", "é");
    ObjectAttributes found = value(bucket.head("key")).metadata().attributes();
    assertThat(found.headers()).containsExactlyInAnyOrderEntriesOf(headers);
    assertThat(found.userMetadata()).isEqualTo(given.userMetadata());
  }

  @Test
  void keysOfEveryKindAreReadAndListedPageByPage() {
    KEYS.forEach(key -> value(calls.put(key, key.getBytes(UTF_8))));
    other.objects().put("other/key", bytes(1), Map.of());

    for (String key : KEYS) {
      assertThat(value(calls.get(key))).asString(UTF_8).isEqualTo(key);
    }
    for (int page : List.of(1, 2, 1000)) {
      assertThat(calls.list("", "", page))
          .containsExactlyElementsOf(
              KEYS.stream().map(ObjectKey::of).sorted().map(ObjectKey::text).toList());
    }
    for (int page : List.of(1, 3)) {
      assertThat(calls.list("", "/", page))
          .containsExactly(
              "/", "a b+c%20d", "a/", "ends/", "~!*'()", "é", "\uFFFF", "\uD83D\uDE00");
      assertThat(calls.list("a/", "/", page)).containsExactly("a/../", "a//");
    }
  }

  @Test
  void versionsAreReadAndDeletedByTheBackendsIds() {
    String first = other.objects().put("data/key", bytes(1), Map.of()).version();
    String second = other.objects().put("data/key", bytes(2), Map.of()).version();
    boolean keepsVersions = dialect.versionIds() != Dialect.VersionIds.NONE;

    assertThat(value(calls.get("key"))).hasSize(2);
    assertThat(value(calls.get("key", second))).hasSize(2);
    Origin origin = Objects.requireNonNull(value(bucket.head("key")).metadata().origin());
    if (!keepsVersions) {
      assertThat(second).isEqualTo("null");
      assertThat(origin.version()).isNull();
      assertThat(calls.get("key", "other")).isEqualTo(Outcome.failed(new Failure.NoSuchVersion()));
      return;
    }
    assertThat(origin.version()).isEqualTo(second);
    assertThat(value(calls.get("key", first))).hasSize(1);
    assertThat(calls.get("key", "null")).isEqualTo(Outcome.failed(new Failure.NoSuchVersion()));
    assertThat(calls.head("key", "null")).isEqualTo(Outcome.failed(new Failure.NoSuchVersion()));

    value(calls.delete("key", second));
    assertThat(value(calls.get("key"))).hasSize(1);
    String marker = value(calls.delete("key")).versionText();
    assertThat(marker).isEqualTo(there("key").version());
    assertThat(calls.get("key"))
        .isEqualTo(Outcome.failed(new Failure.NoSuchKey(Optional.of(marker))));
    assertThat(bucket.head("key"))
        .isEqualTo(Outcome.failed(new Failure.NoSuchKey(Optional.of(marker))));
    assertThat(calls.get("key", marker))
        .isEqualTo(
            Outcome.failed(new Failure.VersionIsDeleteMarker(marker, there("key").modifiedMs())));
  }

  @Test
  void tagsAreThoseOfTheBackend() {
    other.objects().put("data/key", bytes(5), Map.of());
    if (!dialect.hasTags()) {
      assertThat(value(bucket.tags("key")).metadata().attributes().tags()).isEmpty();
      assertThat(calls.setTags("key", Map.of("a", "1")))
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed ->
                  assertThat(failed.failure())
                      .isInstanceOfSatisfying(
                          Failure.BackendFailed.class,
                          refusal -> assertThat(refusal.httpStatus()).isEqualTo(501)));
      return;
    }
    assertThat(value(bucket.tags("key")).metadata().attributes().tags()).isEmpty();
    other.objects().tag("data/key", null, Map.of("a", "1", "b", "x y"));
    assertThat(value(bucket.tags("key")).metadata().attributes().tags())
        .isEqualTo(Map.of("a", "1", "b", "x y"));

    value(calls.get("key"));
    value(calls.setTags("key", Map.of("c", "3")));
    assertThat(value(bucket.tags("key")).metadata().attributes().tags())
        .isEqualTo(Map.of("c", "3"));
    assertThat(there("key").tags()).isEqualTo(Map.of("c", "3"));
    value(calls.copy("key", "copy"));
    assertThat(there("copy").tags()).isEqualTo(Map.of("c", "3"));
  }

  @Test
  void conditionsOfWritesAreTheBackends() {
    ObjectMetadata written = value(calls.put("key", bytes(1)));

    assertThat(calls.put("key", bytes(2), ifNoneMatch("*"))).isInstanceOf(Outcome.Failed.class);
    assertThat(calls.put("key", bytes(3), ifMatch("other"))).isInstanceOf(Outcome.Failed.class);
    assertThat(value(calls.put("key", bytes(4), ifMatch(written.etag()))).etag())
        .isEqualTo(there("key").etag());
    assertThat(value(calls.get("key"))).hasSize(4);
  }

  @Test
  void uploadsAndTheirPartsAreTheBackends() {
    byte[] first = bytes(5 << 20);
    byte[] second = bytes(1000);
    String upload = value(calls.create("key"));
    ObjectPart one = value(calls.putPart("key", upload, 1, first));
    other.objects().put("data/source", second, Map.of());
    ObjectPart two = value(calls.copyPart("source", "key", upload, 2));

    assertThat(value(calls.parts("key", upload)))
        .extracting(ObjectPart::sizeBytes)
        .containsExactly((long) first.length, (long) second.length);
    assertThat(value(calls.complete("key", upload, List.of(one, two))).etag())
        .isEqualTo(there("key").etag());

    var head = bucket.head("key", new Selection.Part(2));
    if (dialect.givesPartCount()) {
      assertThat(value(head).partCount()).isEqualTo(2);
      assertThat(value(head).offset()).isEqualTo(first.length);
      assertThat(value(head).length()).isEqualTo(second.length);
      assertThat(value(calls.get("key", new Selection.Part(2)))).isEqualTo(second);
      assertThat(calls.get("key", new Selection.Part(3)))
          .isEqualTo(Outcome.failed(new Failure.NoSuchPart(3)));
    } else {
      assertThat(head).isEqualTo(Outcome.failed(new Failure.NoSuchPart(2)));
      assertThat(value(calls.get("key", new Selection.Part(1))))
          .hasSize(first.length + second.length);
    }
  }

  private Stored there(String key) {
    return other.objects().find("data/" + key, null).orElseThrow();
  }

  private static Preconditions ifMatch(String etag) {
    return new Preconditions(List.of(etag), List.of(), OptionalLong.empty(), OptionalLong.empty());
  }

  private static Preconditions ifNoneMatch(String etag) {
    return new Preconditions(List.of(), List.of(etag), OptionalLong.empty(), OptionalLong.empty());
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }
}
