package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

/**
 * A member as the index knows it.
 *
 * @param name see {@link dev.tarn.shard.name.MemberNames}
 * @param extension what makes it a part of its sample, in lower case
 * @param offset where its data begins in the uncompressed shard
 * @param size of its data
 * @param crc32c of its data
 */
public record IndexedMember(String name, String extension, long offset, long size, int crc32c) {
  public IndexedMember {
    requireNonNull(name, "name is null");
    requireNonNull(extension, "extension is null");
    if (offset < 0 || size < 0) {
      throw new IllegalArgumentException("offset " + offset + ", size " + size);
    }
  }
}
