package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import java.io.IOException;

/**
 * What the directory of a zip archive says of a member.
 *
 * @param name as it stands there
 * @param size of the uncompressed data
 * @param flags the general purpose bits
 * @param isLink whether it is a symbolic link
 */
record ZipMember(String name, ZipPlace place, long size, int flags, boolean isLink) {
  static final int STORED = 0;
  static final int DEFLATED = 8;
  private static final int ENCRYPTED = 1;
  private static final int DIRECTORY_ENCRYPTED = 1 << 13;

  /** Whether it is no directory. */
  boolean isFile() {
    return !name.endsWith("/");
  }

  /** Makes sure that its data can be read. */
  void requireReadable(String archive) throws IOException {
    if ((flags & (ENCRYPTED | DIRECTORY_ENCRYPTED)) != 0) {
      throw unreadable(archive, "is encrypted: decrypt the archive first");
    }
    if (place.method() != STORED && place.method() != DEFLATED) {
      throw unreadable(
          archive,
          "is compressed by %s, stored or deflated members are read: zip it anew with -Z deflate"
              .formatted(method(place.method())));
    }
    if (place.method() == STORED && place.stored() != size) {
      throw unreadable(
          archive,
          "is stored in %d bytes, but said to have %d: the archive is corrupt"
              .formatted(place.stored(), size));
    }
  }

  private IOException unreadable(String archive, String why) {
    return new IOException(
        "%s at byte %d: member %s %s"
            .formatted(archive, place.offset(), MemberNames.printable(name), why));
  }

  private static String method(int number) {
    return switch (number) {
      case 9 -> "deflate64";
      case 12 -> "bzip2";
      case 14 -> "lzma";
      case 93 -> "zstd";
      case 95 -> "xz";
      case 99 -> "AES encryption";
      default -> "method " + number;
    };
  }
}
