package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectKey;
import java.util.List;

/**
 * A page of a bucket's listing.
 *
 * @param entries in the order of their bytes
 * @param truncated whether there are more entries after the last one
 */
public record ListPage(List<Entry> entries, boolean truncated) {
  public ListPage {
    entries = List.copyOf(requireNonNull(entries, "entries is null"));
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
   */
  public record ObjectEntry(
      ObjectKey key,
      long sizeBytes,
      String etag,
      long modifiedMs,
      List<ChecksumAlgorithm> checksums)
      implements Entry {
    public ObjectEntry {
      requireNonNull(key, "key is null");
      requireNonNull(etag, "etag is null");
      checksums = List.copyOf(requireNonNull(checksums, "checksums is null"));
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
