package dev.tarn.targetnode.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.KeyGrouping;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.cluster.target.VersionPage.CommonPrefix;
import dev.tarn.cluster.target.VersionPage.VersionEntry;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Pages of versions: of one disk by walking its index, of several disks by merging their pages. */
final class VersionListing {
  private static final ObjectVersion NO_VERSION = new ObjectVersion(0, 0, 0);
  private static final Comparator<VersionPage.Entry> ORDER =
      Comparator.comparing(VersionPage.Entry::key)
          .thenComparing(VersionListing::version, Comparator.reverseOrder());

  private final DiskStore store;
  private final ListVersions request;
  private final Predicate<ObjectName> isHome;
  private final BucketId bucket;
  private final KeyGrouping grouping;
  private final List<VersionPage.Entry> entries = new ArrayList<>();

  /** The name whose newest version is listed or skipped already. */
  private @Nullable ObjectName begun;

  private VersionListing(DiskStore store, ListVersions request, Predicate<ObjectName> isHome) {
    this.store = store;
    this.request = request;
    this.isHome = isHome;
    this.bucket = request.scope().bucket();
    this.grouping = new KeyGrouping(request.prefix(), request.delimiter());
  }

  /**
   * The page over all disks.
   *
   * @param isHome whether a disk is the home of an object; others are not listed
   */
  static VersionPage list(
      List<DiskStore> stores, ListVersions request, BiPredicate<DiskStore, ObjectName> isHome)
      throws IOException {
    TreeSet<VersionPage.Entry> merged = new TreeSet<>(ORDER);
    boolean truncated = false;
    for (DiskStore store : stores) {
      VersionPage page =
          new VersionListing(store, request, name -> isHome.test(store, name)).list();
      truncated |= page.truncated();
      merged.addAll(page.entries());
    }
    truncated |= merged.size() > request.entriesMax();
    List<VersionPage.Entry> entries = merged.stream().limit(request.entriesMax()).toList();
    return new VersionPage(entries, truncated && !entries.isEmpty());
  }

  private static ObjectVersion version(VersionPage.Entry entry) {
    return switch (entry) {
      case VersionEntry version -> version.version();
      case CommonPrefix prefix -> NO_VERSION;
    };
  }

  private VersionPage list() throws IOException {
    try (IndexCursor cursor = store.index().objects(bucket, request.prefix().getBytes(UTF_8))) {
      seekMarker(cursor);
      while (cursor.next()) {
        if (cursor.cancels()
            || !(cursor.entry().entry() instanceof LogEntry.ObjectStored stored)
            || !isHome.test(stored.object().metadata().name())) {
          continue;
        }
        if (entries.size() == request.entriesMax()) {
          return new VersionPage(entries, request.entriesMax() > 0);
        }
        ObjectMetadata metadata = stored.object().metadata();
        Optional<ObjectKey> group = grouping.groupOf(metadata.name().key());
        if (group.isPresent()) {
          entries.add(new CommonPrefix(group.orElseThrow()));
          cursor.seekObjectBehind(bucket, group.orElseThrow().bytes(), false);
        } else {
          entries.add(VersionEntry.of(metadata, !metadata.name().equals(begun)));
          begun = metadata.name();
        }
      }
    }
    return new VersionPage(entries, false);
  }

  private void seekMarker(IndexCursor cursor) throws IOException {
    byte[] after = request.afterKey().getBytes(UTF_8);
    if (after.length == 0) {
      return;
    }
    boolean group = grouping.isGroup(request.afterKey());
    if (group || request.afterVersion().isEmpty() || after.length > ObjectKey.BYTES_MAX) {
      cursor.seekObjectBehind(bucket, after, !group);
      return;
    }
    ObjectName name = new ObjectName(bucket, ObjectKey.of(after));
    Optional<ObjectVersion> marker = marker(name);
    if (marker.isEmpty()) {
      cursor.seekObject(name);
      return;
    }
    cursor.seekVersionBehind(name, marker.orElseThrow());
    IndexEntry newest = store.index().find(name);
    if (newest != null
        && newest.entry() instanceof LogEntry.ObjectStored stored
        && stored.object().metadata().version().compareTo(marker.orElseThrow()) >= 0) {
      begun = name;
    }
  }

  /** The version after which the page begins; empty for a null version that does not exist. */
  private Optional<ObjectVersion> marker(ObjectName name) throws IOException {
    if (!request.afterVersion().equals(ObjectVersion.NULL_TEXT)) {
      return ObjectVersion.ofText(request.afterVersion());
    }
    IndexEntry found = store.index().findNull(name);
    return found != null && found.entry() instanceof LogEntry.ObjectStored stored
        ? Optional.of(stored.object().metadata().version())
        : Optional.empty();
  }
}
