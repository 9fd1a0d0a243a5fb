package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

/**
 * An archive member whose data is one contiguous run of the uncompressed archive.
 *
 * @param name as in the archive; see {@link dev.tarn.shard.name.MemberNames}
 * @param headerOffset the offset of its header, for messages
 * @param dataOffset the offset of its data in the uncompressed archive
 * @param size of its data in bytes
 */
record ArchiveMember(String name, Type type, long headerOffset, long dataOffset, long size) {
  /** The type of a member. */
  enum Type {
    FILE,
    /** A hard or symbolic link, which has no bytes of its own. */
    LINK,
    /** A pipe, a socket or a device. */
    SPECIAL,
    /** A directory or a table of the archive itself. */
    NONE
  }

  ArchiveMember {
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
  }
}
