package dev.tarn.cluster.target.memory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.KeyGrouping;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** Pages of sorted maps. */
final class MemoryListing {
  private MemoryListing() {}

  static ListPage objects(NavigableMap<ObjectKey, MemoryVersions> objects, ListObjects request) {
    KeyGrouping grouping = new KeyGrouping(request.prefix(), request.delimiter());
    Optional<ObjectKey> group = givenGroup(grouping, request.after());
    List<ListPage.Entry> entries = new ArrayList<>();
    for (MemoryVersions versions : tail(objects, request.after()).values()) {
      ObjectMetadata metadata = versions.newest().metadata();
      ObjectKey key = metadata.name().key();
      Optional<ObjectKey> itsGroup = grouping.groupOf(key);
      if (metadata.deleteMarker()
          || !grouping.includes(key)
          || (itsGroup.isPresent() && itsGroup.equals(group))) {
        continue;
      }
      if (entries.size() == request.entriesMax()) {
        return new ListPage(entries, request.entriesMax() > 0);
      }
      group = itsGroup;
      entries.add(itsGroup.<ListPage.Entry>map(ListPage.CommonPrefix::new).orElse(entry(metadata)));
    }
    return new ListPage(entries, false);
  }

  static VersionPage versions(
      NavigableMap<ObjectKey, MemoryVersions> objects, ListVersions request) {
    KeyGrouping grouping = new KeyGrouping(request.prefix(), request.delimiter());
    Optional<ObjectKey> group = givenGroup(grouping, request.afterKey());
    List<VersionPage.Entry> entries = new ArrayList<>();
    for (ObjectMetadata metadata : following(objects, request)) {
      ObjectKey key = metadata.name().key();
      Optional<ObjectKey> itsGroup = grouping.groupOf(key);
      if (!grouping.includes(key) || (itsGroup.isPresent() && itsGroup.equals(group))) {
        continue;
      }
      if (entries.size() == request.entriesMax()) {
        return new VersionPage(entries, request.entriesMax() > 0);
      }
      group = itsGroup;
      boolean latest =
          requireNonNull(objects.get(key), "a version has a key")
              .newest()
              .metadata()
              .equals(metadata);
      entries.add(
          itsGroup
              .<VersionPage.Entry>map(VersionPage.CommonPrefix::new)
              .orElseGet(() -> VersionPage.VersionEntry.of(metadata, latest)));
    }
    return new VersionPage(entries, false);
  }

  /** All versions behind the request's marker. */
  private static List<ObjectMetadata> following(
      NavigableMap<ObjectKey, MemoryVersions> objects, ListVersions request) {
    List<ObjectMetadata> following = new ArrayList<>();
    if (isKey(request.afterKey()) && !request.afterVersion().isEmpty()) {
      MemoryVersions versions = objects.get(ObjectKey.of(request.afterKey()));
      if (versions != null) {
        versions
            .following(request.afterVersion())
            .forEach(stored -> following.add(stored.metadata()));
      }
    }
    for (MemoryVersions versions : tail(objects, request.afterKey()).values()) {
      versions.all().forEach(stored -> following.add(stored.metadata()));
    }
    return following;
  }

  private static boolean isKey(String text) {
    int length = text.getBytes(UTF_8).length;
    return length > 0 && length <= ObjectKey.BYTES_MAX;
  }

  static UploadPage uploads(NavigableMap<UploadName, OpenUpload> uploads, ListUploads request) {
    KeyGrouping grouping = new KeyGrouping(request.prefix(), request.delimiter());
    Optional<ObjectKey> group = givenGroup(grouping, request.afterKey());
    List<UploadPage.Entry> entries = new ArrayList<>();
    for (Map.Entry<UploadName, OpenUpload> open : uploads.entrySet()) {
      UploadName name = open.getKey();
      Optional<ObjectKey> itsGroup =
          grouping.includes(name.key()) ? grouping.groupOf(name.key()) : Optional.empty();
      if (!grouping.includes(name.key())
          || !isAfter(name, request)
          || (itsGroup.isPresent() && itsGroup.equals(group))) {
        continue;
      }
      if (entries.size() == request.entriesMax()) {
        return new UploadPage(entries, request.entriesMax() > 0);
      }
      group = itsGroup;
      entries.add(
          itsGroup
              .<UploadPage.Entry>map(UploadPage.CommonPrefix::new)
              .orElse(entry(name, open.getValue())));
    }
    return new UploadPage(entries, false);
  }

  private static boolean isAfter(UploadName name, ListUploads request) {
    int order = Arrays.compareUnsigned(name.key().bytes(), request.afterKey().getBytes(UTF_8));
    return order > 0
        || (order == 0
            && !request.afterUploadId().isEmpty()
            && name.uploadId().compareTo(request.afterUploadId()) > 0);
  }

  /** The group that the page before this one ended with, which is not given again. */
  private static Optional<ObjectKey> givenGroup(KeyGrouping grouping, String after) {
    return grouping.isGroup(after) ? Optional.of(ObjectKey.of(after)) : Optional.empty();
  }

  private static <V> NavigableMap<ObjectKey, V> tail(NavigableMap<ObjectKey, V> map, String after) {
    if (after.isEmpty()) {
      return map;
    }
    byte[] bytes = after.getBytes(UTF_8);
    // A key beyond the longest possible one comes after the same keys as its beginning does.
    return map.tailMap(
        ObjectKey.of(Arrays.copyOf(bytes, Math.min(bytes.length, ObjectKey.BYTES_MAX))), false);
  }

  private static ListPage.Entry entry(ObjectMetadata metadata) {
    List<ChecksumAlgorithm> algorithms =
        metadata.checksums().stream().map(ObjectChecksum::algorithm).toList();
    return new ListPage.ObjectEntry(
        metadata.name().key(),
        metadata.sizeBytes(),
        metadata.etag(),
        metadata.modifiedMs(),
        algorithms);
  }

  private static UploadPage.Entry entry(UploadName name, OpenUpload upload) {
    return new UploadPage.UploadEntry(
        name.key(),
        name.uploadId(),
        upload.initiatedMs(),
        upload.request().checksum(),
        upload.request().checksumType());
  }
}
