package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import java.util.List;
import java.util.Optional;

/**
 * A page of a bucket's listing.
 *
 * @param entries in the order of their bytes
 * @param truncated whether there are more entries after the last one
 * @param partial whether entries of targets that are out may be missing; never sent by a target
 */
public record ListPage(List<Entry> entries, boolean truncated, boolean partial) {
  public ListPage {
    entries = List.copyOf(requireNonNull(entries, "entries is null"));
  }

  /** A page with the entries of all targets. */
  public ListPage(List<Entry> entries, boolean truncated) {
    this(entries, truncated, false);
  }

  /** This page, marked as partial. */
  ListPage asPartial() {
    return new ListPage(entries, truncated, true);
  }

  /** An object or a group of objects. */
  public sealed interface Entry {
    /** The bytes by which the listing is ordered: those of the key or of the common prefix. */
    byte[] orderBytes();
  }

  /**
   * An object.
   *
   * @param etag without quotes
   * @param checksums the algorithms of the checksums that the object has
   * @param checksumType of these checksums; empty if there are none, or if it is not known
   * @param storageClass as declared; {@code STANDARD} for others
   */
  public record ObjectEntry(
      ObjectKey key,
      long sizeBytes,
      String etag,
      long modifiedMs,
      List<ChecksumAlgorithm> checksums,
      Optional<ChecksumType> checksumType,
      String storageClass)
      implements Entry {
    public ObjectEntry {
      requireNonNull(key, "key is null");
      requireNonNull(etag, "etag is null");
      checksums = List.copyOf(requireNonNull(checksums, "checksums is null"));
      requireNonNull(checksumType, "checksumType is null");
      requireNonNull(storageClass, "storageClass is null");
    }

    /** The entry of an object. */
    public static ObjectEntry of(ObjectMetadata metadata) {
      return new ObjectEntry(
          metadata.name().key(),
          metadata.sizeBytes(),
          metadata.etag(),
          metadata.modifiedMs(),
          metadata.checksums().stream().map(ObjectChecksum::algorithm).toList(),
          metadata.checksums().stream().map(ObjectChecksum::type).findFirst(),
          metadata.attributes().storageClass());
    }

    @Override
    public byte[] orderBytes() {
      return key.bytes();
    }
  }

  /**
   * All objects whose keys begin with these bytes.
   *
   * @param prefix up to and including the first delimiter after the listing's prefix
   */
  public record CommonPrefix(ObjectKey prefix) implements Entry {
    public CommonPrefix {
      requireNonNull(prefix, "prefix is null");
    }

    @Override
    public byte[] orderBytes() {
      return prefix.bytes();
    }
  }
}
