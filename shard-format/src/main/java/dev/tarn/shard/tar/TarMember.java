package dev.tarn.shard.tar;

import static java.util.Objects.requireNonNull;

/**
 * A member of an archive, from its headers.
 *
 * @param name the whole name, from any header; see {@link dev.tarn.shard.name.MemberNames} for
 *     bytes that are not UTF-8
 * @param type only regular members have data
 * @param size of its data in bytes
 * @param headerOffset of its first header block, including extended headers
 * @param dataOffset of its data
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

  /** Returns whether it is a file with its own bytes. */
  public boolean isRegular() {
    return type == MemberType.REGULAR;
  }
}
