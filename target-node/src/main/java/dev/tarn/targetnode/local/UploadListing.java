package dev.tarn.targetnode.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.KeyGrouping;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.UploadRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Pages of uploads and of their parts. */
final class UploadListing {
  private static final Comparator<UploadPage.Entry> ORDER =
      Comparator.<UploadPage.Entry, ObjectKey>comparing(UploadPage.Entry::key)
          .thenComparing(
              entry -> entry instanceof UploadPage.UploadEntry upload ? upload.uploadId() : "");

  private UploadListing() {}

  /**
   * The page of uploads over all disks.
   *
   * @param isHome whether a disk is the home of an object; others are not listed
   */
  static UploadPage list(
      List<DiskStore> stores, ListUploads request, BiPredicate<DiskStore, ObjectName> isHome)
      throws IOException {
    List<UploadPage.Entry> all = new ArrayList<>();
    boolean truncated = false;
    for (DiskStore store : stores) {
      UploadPage page = list(store, request, isHome);
      truncated |= page.truncated();
      all.addAll(page.entries());
    }
    List<UploadPage.Entry> merged = all.stream().distinct().sorted(ORDER).toList();
    truncated |= merged.size() > request.entriesMax();
    List<UploadPage.Entry> entries = merged.stream().limit(request.entriesMax()).toList();
    return new UploadPage(entries, truncated && !entries.isEmpty());
  }

  private static UploadPage list(
      DiskStore store, ListUploads request, BiPredicate<DiskStore, ObjectName> isHome)
      throws IOException {
    KeyGrouping grouping = new KeyGrouping(request.prefix(), request.delimiter());
    List<UploadPage.Entry> entries = new ArrayList<>();
    var bucket = request.scope().bucket();
    try (IndexCursor cursor = store.index().uploads(bucket, request.prefix().getBytes(UTF_8))) {
      boolean afterGroup = grouping.isGroup(request.afterKey());
      if (!request.afterKey().isEmpty()) {
        cursor.seekUploadFrom(bucket, request.afterKey().getBytes(UTF_8), afterGroup);
      }
      while (cursor.next()) {
        if (!(cursor.entry().entry() instanceof LogEntry.UploadCreated created)
            || !isAfter(created.upload(), request)
            || !isHome.test(store, created.upload().name())) {
          continue;
        }
        if (entries.size() == request.entriesMax()) {
          return new UploadPage(entries, request.entriesMax() > 0);
        }
        Optional<ObjectKey> group = grouping.groupOf(created.upload().name().key());
        if (group.isPresent()) {
          entries.add(new UploadPage.CommonPrefix(group.orElseThrow()));
          cursor.seekUploadFrom(bucket, group.orElseThrow().bytes(), true);
        } else {
          entries.add(entry(created.upload()));
        }
      }
    }
    return new UploadPage(entries, false);
  }

  private static boolean isAfter(UploadRecord upload, ListUploads request) {
    int order =
        Arrays.compareUnsigned(upload.name().key().bytes(), request.afterKey().getBytes(UTF_8));
    return order > 0
        || (order == 0
            && !request.afterUploadId().isEmpty()
            && upload.id().compareTo(request.afterUploadId()) > 0);
  }

  private static UploadPage.Entry entry(UploadRecord upload) {
    return new UploadPage.UploadEntry(
        upload.name().key(), upload.id(), upload.initiatedMs(), upload.details());
  }

  /** The page of an upload's parts. */
  static Outcome<PartPage> parts(DiskStore store, ListParts request) throws IOException {
    Outcome<UploadRecord> found = LocalUploads.find(store, request, request.uploadId());
    List<ObjectPart> parts = new ArrayList<>();
    boolean truncated = false;
    try (IndexCursor cursor = store.index().parts(request.uploadId())) {
      while (!truncated && cursor.next()) {
        ObjectPart part = ((LogEntry.PartStored) cursor.entry().entry()).part().part();
        if (part.number() > request.afterNumber()) {
          truncated = parts.size() == request.partsMax();
          if (!truncated) {
            parts.add(part);
          }
        }
      }
    }
    boolean more = truncated && !parts.isEmpty();
    return found.map(upload -> new PartPage(parts, more, upload.details()));
  }
}
