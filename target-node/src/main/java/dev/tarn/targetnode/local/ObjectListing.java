package dev.tarn.targetnode.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.KeyGrouping;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** Pages of objects: of one disk by walking its index, of several disks by merging their pages. */
final class ObjectListing {
  private ObjectListing() {}

  /**
   * The page over all disks.
   *
   * @param isHome whether a disk is the home of an object; others are not listed
   */
  static ListPage list(
      List<DiskStore> stores, ListObjects request, BiPredicate<DiskStore, ObjectName> isHome)
      throws IOException {
    TreeMap<byte[], ListPage.Entry> merged = new TreeMap<>(Arrays::compareUnsigned);
    boolean truncated = false;
    for (DiskStore store : stores) {
      ListPage page = list(store, request, isHome);
      truncated |= page.truncated();
      page.entries().forEach(entry -> merged.put(entry.orderBytes(), entry));
    }
    truncated |= merged.size() > request.entriesMax();
    List<ListPage.Entry> entries = merged.values().stream().limit(request.entriesMax()).toList();
    return new ListPage(entries, truncated && !entries.isEmpty());
  }

  private static ListPage list(
      DiskStore store, ListObjects request, BiPredicate<DiskStore, ObjectName> isHome)
      throws IOException {
    KeyGrouping grouping = new KeyGrouping(request.prefix(), request.delimiter());
    List<ListPage.Entry> entries = new ArrayList<>();
    var bucket = request.scope().bucket();
    try (IndexCursor cursor = store.index().objects(bucket, request.prefix().getBytes(UTF_8))) {
      if (!request.after().isEmpty()) {
        byte[] after = request.after().getBytes(UTF_8);
        cursor.seekObjectBehind(bucket, after, !grouping.isGroup(request.after()));
      }
      while (cursor.nextObject()) {
        if (!(cursor.entry().entry() instanceof LogEntry.ObjectStored stored)
            || stored.object().metadata().deleteMarker()
            || !isHome.test(store, stored.object().metadata().name())) {
          continue;
        }
        if (entries.size() == request.entriesMax()) {
          return new ListPage(entries, request.entriesMax() > 0);
        }
        ObjectMetadata metadata = stored.object().metadata();
        Optional<ObjectKey> group = grouping.groupOf(metadata.name().key());
        if (group.isPresent()) {
          entries.add(new ListPage.CommonPrefix(group.orElseThrow()));
          cursor.seekObjectBehind(bucket, group.orElseThrow().bytes(), false);
        } else {
          entries.add(ListPage.ObjectEntry.of(metadata));
        }
      }
    }
    return new ListPage(entries, false);
  }
}
