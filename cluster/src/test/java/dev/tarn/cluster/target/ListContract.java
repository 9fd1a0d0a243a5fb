package dev.tarn.cluster.target;

import static dev.tarn.cluster.target.ContractFixture.key;
import static dev.tarn.cluster.target.ContractFixture.success;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.Put;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Listings: order by bytes, prefixes, groups, markers, pages. */
interface ListContract extends ContractFixture {
  @Test
  default void anEmptyBucketHasAnEmptyPage() {
    assertThat(success(list("", "", "", 1000))).isEqualTo(new ListPage(List.of(), false));
  }

  @Test
  default void keysComeInTheOrderOfTheirUtf8Bytes() {
    List<String> ordered =
        List.of("\u0001", " ", "A", "B", "a", "a/", "a/b", "a0", "é", "\uffff", "\ud800\udc00");
    List<String> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(1));
    shuffled.forEach(key -> put(key, key));
    assertThat(names(success(list("", "", "", 1000)))).isEqualTo(ordered);
  }

  @Test
  default void anEntrySaysWhatTheObjectIs() {
    Put request =
        new Put(
            scope(),
            key("a"),
            ObjectAttributes.NONE,
            Set.of(ChecksumAlgorithm.CRC32C),
            Preconditions.NONE);
    ObjectMetadata metadata = success(target().call(request, TestBody.of("hello")));
    assertThat(success(list("", "", "", 10)).entries())
        .containsExactly(
            new ListPage.ObjectEntry(
                key("a"),
                5,
                metadata.etag(),
                metadata.modifiedMs(),
                List.of(ChecksumAlgorithm.CRC32C)));
  }

  @Test
  default void whatIsDeletedIsNotListed() {
    putAll("a", "b", "c");
    success(
        target()
            .call(
                new TargetRequest.Delete(scope(), key("b"), Optional.empty(), Preconditions.NONE)));
    assertThat(names(success(list("", "", "", 10)))).containsExactly("a", "c");
  }

  @Test
  default void aPrefixChoosesWhatBeginsWithIt() {
    putAll("a", "ab", "ab/c", "abd", "b", "é1", "é2");
    assertThat(names(success(list("ab", "", "", 10)))).containsExactly("ab", "ab/c", "abd");
    assertThat(names(success(list("é", "", "", 10)))).containsExactly("é1", "é2");
    assertThat(names(success(list("zz", "", "", 10)))).isEmpty();
  }

  @Test
  default void aDelimiterGroupsByTheTextUpToIt() {
    putAll("a", "dir/1", "dir/2", "dir/sub/3", "dir0", "z/1");
    assertThat(names(success(list("", "/", "", 10)))).containsExactly("a", "dir/", "dir0", "z/");
    assertThat(names(success(list("dir/", "/", "", 10))))
        .containsExactly("dir/1", "dir/2", "dir/sub/");
    assertThat(success(list("", "/", "", 10)).entries())
        .contains(new ListPage.CommonPrefix(key("dir/")));
  }

  @Test
  default void aDelimiterMayBeOfSeveralBytes() {
    putAll("a--b", "a--c", "a-d", "é→x", "é→y");
    assertThat(names(success(list("", "--", "", 10)))).containsExactly("a--", "a-d", "é→x", "é→y");
    assertThat(names(success(list("", "→", "", 10)))).containsExactly("a--b", "a--c", "a-d", "é→");
  }

  @Test
  default void aPageComesAfterItsMarker() {
    putAll("a", "b", "c", "d");
    assertThat(names(success(list("", "", "b", 10)))).containsExactly("c", "d");
    assertThat(names(success(list("", "", "bb", 10)))).containsExactly("c", "d");
    assertThat(names(success(list("", "", "d", 10)))).isEmpty();
    assertThat(names(success(list("c", "", "a", 10)))).containsExactly("c");
    assertThat(names(success(list("a", "", "c", 10)))).isEmpty();
  }

  @Test
  default void aGroupThatWasGivenIsNotRepeatedAndOneThatWasBegunIs() {
    putAll("a", "dir/1", "dir/2", "dir/3", "e");
    assertThat(names(success(list("", "/", "dir/", 10)))).containsExactly("e");
    assertThat(names(success(list("", "/", "dir/2", 10)))).containsExactly("dir/", "e");
    assertThat(names(success(list("", "/", "dir/3", 10)))).containsExactly("e");
    assertThat(names(success(list("dir/", "/", "dir/", 10))))
        .containsExactly("dir/1", "dir/2", "dir/3");
  }

  @Test
  default void pagesTogetherAreTheWholeListingAndOnlyTheLastIsNotTruncated() {
    IntStream.range(0, 25).forEach(i -> put("k/%02d/x".formatted(i / 2), "x"));
    IntStream.range(0, 25).forEach(i -> put("k/%02d".formatted(i), "x"));
    for (String delimiter : List.of("", "/")) {
      List<String> whole = names(success(list("k/", delimiter, "", 1000)));
      for (int size : new int[] {1, 3, whole.size() - 1, whole.size()}) {
        List<String> paged = new ArrayList<>();
        String after = "";
        ListPage page;
        do {
          page = success(list("k/", delimiter, after, size));
          assertThat(page.entries()).hasSizeLessThanOrEqualTo(size);
          paged.addAll(names(page));
          after = paged.get(paged.size() - 1);
        } while (page.truncated());
        assertThat(paged).isEqualTo(whole);
      }
    }
  }

  @Test
  default void aPageOfNoEntriesIsEmptyAndNotTruncated() {
    putAll("a", "b");
    assertThat(success(list("", "", "", 0))).isEqualTo(new ListPage(List.of(), false));
  }

  @Test
  default void aMarkerLongerThanAnyKeyIsNoMistake() {
    putAll("a", "b".repeat(1024), "c");
    assertThat(names(success(list("", "", "b".repeat(2000), 10)))).containsExactly("c");
    assertThat(names(success(list("x".repeat(2000), "/", "", 10)))).isEmpty();
  }

  @Test
  default void uploadsAreListedByKeyThenIdInPages() {
    List<String> expected = new ArrayList<>();
    for (String key : List.of("u/a", "u/b", "v")) {
      List<String> ids = new ArrayList<>(List.of(createUpload(key), createUpload(key)));
      ids.sort(Comparator.naturalOrder());
      ids.forEach(id -> expected.add(key + " " + id));
    }
    assertThat(uploads(success(listUploads("", "", "", "", 1000)))).isEqualTo(expected);
    List<String> paged = new ArrayList<>();
    String afterKey = "";
    String afterId = "";
    UploadPage page;
    do {
      page = success(listUploads("", "", afterKey, afterId, 1));
      paged.addAll(uploads(page));
      String last = paged.get(paged.size() - 1);
      afterKey = last.substring(0, last.indexOf(' '));
      afterId = last.substring(last.indexOf(' ') + 1);
    } while (page.truncated());
    assertThat(paged).isEqualTo(expected);
    assertThat(uploads(success(listUploads("", "", "u/b", "", 10))))
        .isEqualTo(expected.subList(4, 6));
  }

  @Test
  default void uploadsAreChosenByPrefixAndGroupedByDelimiter() {
    createUpload("dir/1");
    createUpload("dir/2");
    String id = createUpload("e");
    assertThat(uploads(success(listUploads("", "/", "", "", 10))))
        .containsExactly("dir/", "e " + id);
    assertThat(uploads(success(listUploads("", "/", "dir/", "", 10)))).containsExactly("e " + id);
    assertThat(uploads(success(listUploads("dir/", "", "", "", 10)))).hasSize(2);
    assertThat(success(listUploads("", "", "", "", 0)).truncated()).isFalse();
  }

  private void putAll(String... keys) {
    for (String key : keys) {
      put(key, "x");
    }
  }

  private CompletionStage<Outcome<ListPage>> list(
      String prefix, String delimiter, String after, int max) {
    return target().call(new ListObjects(scope(), prefix, delimiter, after, max));
  }

  private CompletionStage<Outcome<UploadPage>> listUploads(
      String prefix, String delimiter, String afterKey, String afterId, int max) {
    return target().call(new ListUploads(scope(), prefix, delimiter, afterKey, afterId, max));
  }

  private static List<String> names(ListPage page) {
    return page.entries().stream().map(entry -> new String(entry.orderBytes(), UTF_8)).toList();
  }

  private static List<String> uploads(UploadPage page) {
    return page.entries().stream()
        .map(entry ->
            entry instanceof UploadPage.UploadEntry upload
                ? upload.key().text() + " " + upload.uploadId()
                : entry.key().text())
        .toList();
  }
}
