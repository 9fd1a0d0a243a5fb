package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectVersion;
import java.util.List;
import java.util.Optional;

/**
 * A page of a bucket's versions.
 *
 * @param entries in the order of their bytes; of one key, the newest version first
 * @param truncated whether there are more entries after the last one
 * @param partial whether entries of targets that are out may be missing; never sent by a target
 */
public record VersionPage(List<Entry> entries, boolean truncated, boolean partial) {
  public VersionPage {
    entries = List.copyOf(requireNonNull(entries, "entries is null"));
  }

  /** A page with the entries of all targets. */
  public VersionPage(List<Entry> entries, boolean truncated) {
    this(entries, truncated, false);
  }

  /** This page, marked as partial. */
  VersionPage asPartial() {
    return new VersionPage(entries, truncated, true);
  }

  /** A version or a group of objects. */
  public sealed interface Entry {
    /** The first criterion of the order: the key or the common prefix. */
    ObjectKey key();
  }

  /**
   * A version of an object, or a delete marker.
   *
   * @param version whose text is a marker for the next page, also for a null version
   * @param nullVersion whether S3 shows the version as {@code null}
   * @param latest whether it is the newest version of its key
   * @param deleteMarker whether it is a delete marker, which has no bytes
   * @param etag without quotes; empty for a delete marker
   * @param checksums the algorithms of the checksums that the object has
   * @param checksumType of these checksums; empty if there are none, or if it is not known
   * @param storageClass as declared; {@code STANDARD} for others
   */
  public record VersionEntry(
      ObjectKey key,
      ObjectVersion version,
      boolean nullVersion,
      boolean latest,
      boolean deleteMarker,
      long sizeBytes,
      String etag,
      long modifiedMs,
      List<ChecksumAlgorithm> checksums,
      Optional<ChecksumType> checksumType,
      String storageClass)
      implements Entry {
    public VersionEntry {
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(etag, "etag is null");
      checksums = List.copyOf(requireNonNull(checksums, "checksums is null"));
      requireNonNull(checksumType, "checksumType is null");
      requireNonNull(storageClass, "storageClass is null");
    }

    /** The entry of a version. */
    public static VersionEntry of(ObjectMetadata metadata, boolean latest) {
      return new VersionEntry(
          metadata.name().key(),
          metadata.version(),
          metadata.nullVersion(),
          latest,
          metadata.deleteMarker(),
          metadata.sizeBytes(),
          metadata.etag(),
          metadata.modifiedMs(),
          metadata.checksums().stream().map(ObjectChecksum::algorithm).toList(),
          metadata.checksums().stream().map(ObjectChecksum::type).findFirst(),
          metadata.attributes().storageClass());
    }

    /** The version as S3 shows it. */
    public String versionText() {
      return version.textWhere(nullVersion);
    }
  }

  /**
   * All objects whose keys begin with these bytes.
   *
   * @param key the prefix, up to and including the first delimiter after the listing's prefix
   */
  public record CommonPrefix(ObjectKey key) implements Entry {
    public CommonPrefix {
      requireNonNull(key, "key is null");
    }
  }
}
