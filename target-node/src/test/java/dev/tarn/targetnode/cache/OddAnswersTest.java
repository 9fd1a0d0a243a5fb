package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListPage.ObjectEntry;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.fixtures.s3.Answer;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.Received;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.local.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Backends whose answers lack what AWS sends, or are none of S3. Each answer is understood, or
 * fails the call by name; none becomes a wrong result.
 */
class OddAnswersTest {
  private static final int UNIT = 8 << 20;

  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private final BackedNode bucket;
  private final Calls calls;

  OddAnswersTest(@TempDir Path folder) {
    bucket = new BackedNode(folder, other, "train/");
    calls = bucket.calls();
  }

  @AfterEach
  void close() throws IOException {
    bucket.close();
    other.close();
  }

  @Test
  void objectWithAWeakETagIsReadInAllItsUnits() {
    byte[] bytes = there("key", 2 * UNIT + 1);
    onObjects(answer ->
        answer.headers().containsKey("etag")
            ? answer.with("etag", "W/" + answer.headers().get("etag"))
            : answer);

    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
    assertThat(Arrays.equals(value(calls.get("key")), bytes)).isTrue();
    assertThat(value(bucket.head("key")).metadata().etag()).matches("[0-9a-f]{32}");
    // A backend that compares weak ETags strictly would refuse each If-Match.
    assertThat(other.received()).noneMatch(request -> request.headers().containsKey("if-match"));
  }

  @Test
  void objectWithoutAnETagIsToldFromALaterOneByItsTime() {
    onObjects(answer -> answer.without("etag"));
    byte[] first = there("key", UNIT + 1);
    assertThat(Arrays.equals(value(calls.get("key")), first)).isTrue();
    String etag = value(bucket.head("key")).metadata().etag();
    assertThat(etag).matches("[0-9a-f]+-[0-9a-f]+");

    byte[] second = bytes(UNIT + 1);
    second[0] ^= 1;
    other.objects().put("train/key", second, Map.of());

    assertThat(Arrays.equals(value(calls.get("key")), second)).isTrue();
    assertThat(value(bucket.head("key")).metadata().etag()).isNotEqualTo(etag);
  }

  @Test
  void putWithoutAnETagInItsAnswerIsConfirmedByAHead() {
    onObjects(answer -> answer.without("etag"));
    byte[] bytes = bytes(10);

    assertThat(value(calls.put("key", bytes)).etag())
        .isEqualTo(value(bucket.head("key")).metadata().etag());
    assertThat(value(calls.get("key"))).isEqualTo(bytes);
  }

  @Test
  void putThatIsAnsweredByAPageOfAnotherServerFails() {
    other.spoil((request, answer) -> Answer.of(200, "<html>sign in</html>"));

    assertUnusable(calls.put("key", bytes(10)));
  }

  @Test
  void objectWithNeitherETagNorTimeCannotBeTold() {
    there("key", 10);
    onObjects(answer -> answer.without("etag").without("last-modified"));

    assertUnusable(calls.get("key"));
    assertUnusable(bucket.head("key"));
  }

  @Test
  void answersWithoutContentLengthAreRead() {
    byte[] large = there("large", 2 * UNIT + 7);
    byte[] small = there("small", 1000);
    there("empty", 0);
    onObjects(Answer::ofUnknownLength);

    assertThat(Arrays.equals(value(calls.get("large")), large)).isTrue();
    assertThat(value(calls.get("small"))).isEqualTo(small);
    assertThat(value(bucket.head("small")).metadata().sizeBytes()).isEqualTo(1000);
    assertThat(value(bucket.head("empty")).metadata().sizeBytes()).isZero();
    assertThat(value(calls.get("large", new Selection.Range(UNIT + 1, UNIT + 5))))
        .isEqualTo(Arrays.copyOfRange(large, UNIT + 1, UNIT + 6));
  }

  @Test
  void wholeObjectInsteadOfARangeIsNeverTakenForTheRange() {
    byte[] bytes = there("key", 2 * UNIT);
    other.spoil((request, answer) ->
        answer.status() == 206
            ? new Answer(200, answer.headers(), bytes, false)
                .without("content-range")
                .with("content-length", Integer.toString(bytes.length))
            : answer);

    assertThat(value(calls.get("key", new Selection.Range(3, 9))))
        .isEqualTo(Arrays.copyOfRange(bytes, 3, 10));
    assertUnusable(calls.get("key", new Selection.Range(UNIT, UNIT + 1)));
  }

  @Test
  void folderObjectIsNoObjectOfTheBucket() {
    other.objects().put("train/", bytes(0), Map.of());
    there("a.jpg", 1);
    there("b/", 0);

    assertThat(calls.list("", "", 1)).containsExactly("a.jpg", "b/");
    assertThat(calls.list("", "/", 1000)).containsExactly("a.jpg", "b/");
    assertThat(calls.list("b/", "/", 1)).containsExactly("b/");
  }

  @Test
  void folderObjectFillsNoPageOfABackendThatListsByMarker(@TempDir Path folder) throws IOException {
    try (SmallS3 old = SmallS3.start(Dialect.OLD);
        BackedNode before = new BackedNode(folder.resolve("old"), old, "train/")) {
      old.objects().put("train/", bytes(0), Map.of());
      old.objects().put("train/a", bytes(1), Map.of());
      old.objects().put("train/b", bytes(1), Map.of());

      assertThat(before.calls().list("", "", 1)).containsExactly("a", "b");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"LastModified", "ETag", "Size"})
  void listingWithoutADetailIsCompletedFromTheObjects(String element) {
    there("a", 10);
    there("b", 20);
    onListings(answer ->
        Answer.of(200, answer.text().replaceAll("<" + element + ">.*?</" + element + ">", "")));

    List<ListPage.Entry> entries = value(bucket.list("", "", "", 1000)).entries();

    for (ListPage.Entry entry : entries) {
      ObjectEntry listed = (ObjectEntry) entry;
      var found = value(bucket.head(listed.key().text())).metadata();
      assertThat(listed.sizeBytes()).isEqualTo(found.sizeBytes());
      assertThat(listed.etag()).isEqualTo(found.etag());
      assertThat(listed.modifiedMs()).isEqualTo(found.modifiedMs());
    }
    assertThat(entries).hasSize(2);
  }

  @Test
  void truncatedPagesWithoutEntriesAreSkipped() {
    there("a", 1);
    there("b", 1);
    onListings(answer ->
        other.received().stream().filter(Received::isListing).count() <= 3
            ? Answer.of(
                200,
                "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>train/"
                    + "</NextContinuationToken></ListBucketResult>")
            : answer);

    assertThat(calls.list("", "", 1000)).containsExactly("a", "b");
  }

  @Test
  void truncatedPageThatSaysNoPlaceToGoOnFails() {
    there("a", 1);
    onListings(answer ->
        Answer.of(200, "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>"));

    assertUnusable(bucket.list("", "", "", 1000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "<html>sign in</html>", "<html><br>not XML", "<?xml version='1.0'?><a/>"})
  void documentThatIsNoListingIsNoEmptyBucket(String document) {
    there("a", 1);
    other.spoil((request, answer) -> Answer.of(200, document));

    assertUnusable(bucket.list("", "", "", 1000));
    assertUnusable(calls.create("key"));
    assertUnusable(calls.copy("a", "b"));
    assertUnusable(calls.parts("key", "upload-1"));
    assertUnusable(bucket.tags("a"));
  }

  @Test
  void keysOutsideThePrefixAreNoKeysOfTheBucket() {
    there("a", 1);
    other.objects().put("secret/key", bytes(1), Map.of());
    onListings(answer -> Answer.of(200, answer.text().replace("train/", "secret/")));

    assertUnusable(bucket.list("", "", "", 1000));
  }

  @Test
  void missingPageOfAnotherServerIsNoMissingObject() {
    byte[] bytes = there("key", 10);
    value(calls.get("key"));
    other.spoil((request, answer) -> Answer.of(404, "<html>not found</html>"));

    assertThat(value(calls.get("key"))).isEqualTo(bytes);
    assertUnusable(calls.get("other"));
    assertUnusable(bucket.head("other"));
  }

  @Test
  void missingBucketIsNoMissingObject() {
    byte[] bytes = there("key", 10);
    value(calls.get("key"));
    other.spoil((request, answer) ->
        request.method().equals("HEAD") ? Answer.of(404, "") : Answer.error(404, "NoSuchBucket"));

    assertRefused(bucket.head("key"), 404, "NoSuchBucket");
    assertRefused(calls.get("key"), 404, "NoSuchBucket");
    assertRefused(bucket.head("other"), 404, "NoSuchBucket");

    other.behave();
    int before = other.received().size();
    assertThat(value(calls.get("key"))).isEqualTo(bytes);
    assertThat(other.received().subList(before, other.received().size()))
        .as("the entry was kept")
        .allMatch(request -> request.method().equals("HEAD"));
  }

  @Test
  void missingKeysCostOneMoreRequestOnlyOnceInASecond() {
    for (int i = 0; i < 5; i++) {
      assertThat(bucket.head("missing-" + i)).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    }

    assertThat(other.received())
        .filteredOn(request -> request.method().equals("GET"))
        .hasSizeLessThan(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 405, 409, 429})
  void refusalWithoutACodeKeepsItsStatus(int status) {
    other.spoil((request, answer) -> Answer.of(status, ""));

    if (status == 429) {
      assertRefused(calls.put("key", bytes(1)), status, "");
    } else {
      assertRefused(bucket.head("key"), status, "");
      assertRefused(calls.put("key", bytes(1)), status, "");
    }
  }

  @Test
  void objectInAnArchiveIsRefusedWithItsState() {
    there("key", 10);
    other.spoil((request, answer) ->
        request.method().equals("GET") ? Answer.error(403, "InvalidObjectState") : answer);

    assertRefused(calls.get("key"), 403, "InvalidObjectState");
  }

  @Test
  void deleteOfAMissingKeyThatIsRefusedIsDone() {
    bucket.freshness(Freshness.IMMUTABLE);
    there("key", 10);
    value(calls.get("key"));
    other.objects().delete("train/key", null);
    other.spoil((request, answer) ->
        request.method().equals("DELETE") ? Answer.error(404, "NoSuchKey") : answer);

    value(calls.delete("key"));

    assertThat(calls.get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
  }

  @Test
  void keyThatIsTooLongForS3FailsTheListingByName() {
    onListings(answer ->
        Answer.of(
            200,
            "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>train/"
                + "k".repeat(2000)
                + "</Key><Size>1</Size></Contents></ListBucketResult>"));

    assertUnusable(bucket.list("", "", "", 1000));
  }

  @ParameterizedTest
  @CsvSource({"Size, abc", "LastModified, yesterday"})
  void listingWithAnUnreadableValueFailsByName(String element, String value) {
    there("a", 10);
    onListings(answer ->
        Answer.of(
            200,
            answer
                .text()
                .replaceAll(
                    "<" + element + ">.*?</" + element + ">",
                    "<" + element + ">" + value + "</" + element + ">")));

    assertUnusable(bucket.list("", "", "", 1000));
  }

  @Test
  void negativeSizeFailsByName() {
    there("a", 10);
    onObjects(answer -> answer.with("content-range", "bytes 0-9/-7"));

    assertUnusable(calls.get("a"));
  }

  @Test
  void emptyTextAsETagOfAPutIsConfirmedByAHead() {
    other.spoil(
        (request, answer) -> request.method().equals("PUT") ? answer.with("etag", "\"\"") : answer);

    assertThat(value(calls.put("key", bytes(10))).etag())
        .isEqualTo(value(bucket.head("key")).metadata().etag());
  }

  @Test
  void expiresThatDiffersInEachAnswerIsNoChange() {
    byte[] bytes = there("key", 1000);
    AtomicInteger answers = new AtomicInteger();
    onObjects(answer ->
        answer.with(
            "expires", "Wed, 21 Oct 2026 07:28:%02d GMT".formatted(answers.incrementAndGet())));

    value(calls.get("key"));
    assertThat(value(calls.get("key"))).isEqualTo(bytes);
    assertThat(other.received()).filteredOn(request -> request.method().equals("GET")).hasSize(1);
  }

  @Test
  void truncatedPagesOfUploadsWithoutEntriesAreSkipped() {
    value(calls.create("key"));
    on(
        request -> request.query().containsKey("uploads") && request.key().isEmpty(),
        answer ->
            other.received().getLast().query().containsKey("key-marker")
                ? answer
                : Answer.of(
                    200,
                    "<ListMultipartUploadsResult><IsTruncated>true</IsTruncated><NextKeyMarker>"
                        + "train/a</NextKeyMarker></ListMultipartUploadsResult>"));

    assertThat(
            value(bucket.call(new ListRequest.ListUploads(bucket.scope(), "", "", "", "", 1000)))
                .entries())
        .hasSize(1);
  }

  @Test
  void partsThatAreListedAgainAndAgainFailByName() {
    String upload = value(calls.create("key"));
    value(calls.putPart("key", upload, 1, bytes(10)));
    on(
        request -> request.method().equals("GET"),
        answer -> Answer.of(200, answer.text().replace("false", "true")));

    assertUnusable(
        bucket.call(
            new UploadRequest.ListParts(bucket.scope(), ObjectKey.of("key"), upload, 1, 1000)));
  }

  @Test
  void partsWithoutETagsFail() {
    String upload = value(calls.create("key"));
    other.spoil((request, answer) -> answer.without("etag"));

    assertUnusable(calls.putPart("key", upload, 1, bytes(10)));
  }

  @Test
  void completedUploadWithoutAnETagFails() {
    String upload = value(calls.create("key"));
    ObjectPart part = value(calls.putPart("key", upload, 1, bytes(10)));
    other.spoil((request, answer) ->
        request.method().equals("POST") ? Answer.of(200, "<html>sign in</html>") : answer);

    assertUnusable(calls.complete("key", upload, List.of(part)));
  }

  private void onObjects(UnaryOperator<Answer> change) {
    on(Received::isOfObject, change);
  }

  private void onListings(UnaryOperator<Answer> change) {
    on(Received::isListing, change);
  }

  private void on(Predicate<Received> requests, UnaryOperator<Answer> change) {
    other.spoil((request, answer) -> requests.test(request) ? change.apply(answer) : answer);
  }

  private byte[] there(String key, int length) {
    byte[] bytes = bytes(length);
    other.objects().put("train/" + ObjectKey.of(key).text(), bytes, Map.of());
    return bytes;
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    return bytes;
  }

  private static void assertUnusable(Outcome<?> outcome) {
    assertRefused(outcome, 502, Failure.BackendFailed.UNUSABLE_ANSWER);
  }

  private static void assertRefused(Outcome<?> outcome, int status, String code) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed ->
                assertThat(failed.failure())
                    .isInstanceOfSatisfying(
                        Failure.BackendFailed.class,
                        refusal -> {
                          assertThat(refusal.httpStatus()).isEqualTo(status);
                          assertThat(refusal.code()).isEqualTo(code);
                        }));
  }
}
