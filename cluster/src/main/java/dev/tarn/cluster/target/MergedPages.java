package dev.tarn.cluster.target;

import dev.tarn.cluster.object.ObjectVersion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * Merges the pages of all members into one page. Every member lists what follows the same marker,
 * in order and up to the size of the page. The first entries of all pages together are therefore
 * the page. An entry of several members, such as a common prefix, is listed once.
 */
final class MergedPages {
  private static final ObjectVersion NO_VERSION = new ObjectVersion(0, 0, 0);

  private MergedPages() {}

  static void checkSize(int entriesMax) {
    if (entriesMax < 0 || entriesMax > TargetRequest.PAGE_MAX) {
      throw new IllegalArgumentException(
          "page size is " + entriesMax + ", must be 0 to " + TargetRequest.PAGE_MAX);
    }
  }

  static ListPage objects(List<ListPage> pages, int entriesMax) {
    Merge<ListPage.Entry> merge =
        merge(
            pages.stream().map(ListPage::entries).toList(),
            entriesMax,
            (a, b) -> Arrays.compareUnsigned(a.orderBytes(), b.orderBytes()));
    return new ListPage(
        merge.entries(), merge.truncated() || truncated(pages, ListPage::truncated, entriesMax));
  }

  /** Versions of one key are listed newest first; all of them come from one member. */
  static VersionPage versions(List<VersionPage> pages, int entriesMax) {
    Merge<VersionPage.Entry> merge =
        merge(
            pages.stream().map(VersionPage::entries).toList(),
            entriesMax,
            Comparator.comparing(VersionPage.Entry::key)
                .thenComparing(MergedPages::version, Comparator.reverseOrder()));
    return new VersionPage(
        merge.entries(), merge.truncated() || truncated(pages, VersionPage::truncated, entriesMax));
  }

  private static ObjectVersion version(VersionPage.Entry entry) {
    return entry instanceof VersionPage.VersionEntry version ? version.version() : NO_VERSION;
  }

  static UploadPage uploads(List<UploadPage> pages, int entriesMax) {
    Merge<UploadPage.Entry> merge =
        merge(
            pages.stream().map(UploadPage::entries).toList(),
            entriesMax,
            Comparator.comparing(UploadPage.Entry::key).thenComparing(MergedPages::uploadId));
    return new UploadPage(
        merge.entries(), merge.truncated() || truncated(pages, UploadPage::truncated, entriesMax));
  }

  private static String uploadId(UploadPage.Entry entry) {
    return entry instanceof UploadPage.UploadEntry upload ? upload.uploadId() : "";
  }

  private static <P> boolean truncated(List<P> pages, Predicate<P> isTruncated, int entriesMax) {
    return entriesMax > 0 && pages.stream().anyMatch(isTruncated);
  }

  private record Merge<E>(List<E> entries, boolean truncated) {}

  private static <E> Merge<E> merge(List<List<E>> sources, int entriesMax, Comparator<E> order) {
    PriorityQueue<Source<E>> heads =
        new PriorityQueue<>((a, b) -> order.compare(a.head(), b.head()));
    sources.stream().filter(list -> !list.isEmpty()).map(Source::new).forEach(heads::add);
    List<E> entries = new ArrayList<>();
    while (!heads.isEmpty()) {
      Source<E> first = heads.remove();
      E entry = first.take();
      boolean repeated =
          !entries.isEmpty() && order.compare(entries.get(entries.size() - 1), entry) == 0;
      if (!repeated) {
        if (entries.size() == entriesMax) {
          return new Merge<>(entries, entriesMax > 0);
        }
        entries.add(entry);
      }
      if (!first.isEmpty()) {
        heads.add(first);
      }
    }
    return new Merge<>(entries, false);
  }

  /** A list that is consumed from its front. */
  private static final class Source<E> {
    private final List<E> entries;
    private int next;

    Source(List<E> entries) {
      this.entries = entries;
    }

    boolean isEmpty() {
      return next == entries.size();
    }

    E head() {
      return entries.get(next);
    }

    E take() {
      return entries.get(next++);
    }
  }
}
