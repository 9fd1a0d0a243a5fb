package dev.tarn.sharder.source.archive;

import static java.util.Objects.requireNonNull;

/**
 * A member of an archive whose data lies uncompressed in one run of bytes.
 *
 * @param name as the archive has it; see {@link dev.tarn.shard.name.MemberNames}
 * @param headerOffset where its header begins, for messages
 * @param dataOffset where its data begins in the uncompressed archive
 * @param size of its data in bytes
 */
record ArchiveMember(String name, Type type, long headerOffset, long dataOffset, long size) {
  /** What a member is to a pack. */
  enum Type {
    FILE,
    /** A hard or symbolic link: it has no bytes of its own. */
    LINK,
    /** A directory, a device or the like: nothing that is packed. */
    OTHER
  }

  ArchiveMember {
    requireNonNull(name, "name is null");
    requireNonNull(type, "type is null");
  }
}
