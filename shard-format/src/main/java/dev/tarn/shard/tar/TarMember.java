package dev.tarn.shard.tar;

import static java.util.Objects.requireNonNull;

/**
 * A member of an archive, as its headers announce it.
 *
 * @param name the whole name, whatever header held it; see {@link dev.tarn.shard.name.MemberNames}
 *     for bytes that are not UTF-8
 * @param type what it is; only regular members have data
 * @param size the data's length in bytes
 * @param headerOffset where the first of its header blocks begins, extended headers included
 * @param dataOffset where its data begins
 */
public record TarMember(
    String name, MemberType type, long size, long headerOffset, long dataOffset) {
  public TarMember {
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
    if (size < 0 || headerOffset < 0 || dataOffset <= headerOffset) {
      throw new IllegalArgumentException(
          "size " + size + ", header at " + headerOffset + ", data at " + dataOffset);
    }
  }

  /** Whether it is a file with bytes of its own. */
  public boolean isRegular() {
    return type == MemberType.REGULAR;
  }
}
