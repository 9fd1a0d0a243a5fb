package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.RelativeNames;
import java.io.IOException;

/** Validates members' names, which come from the archive's untrusted author. */
final class MemberPaths {
  private static final String HERE = "./";

  private MemberPaths() {}

  /**
   * Returns the name relative to the archive's root.
   *
   * @throws IOException naming the archive and the offset, if the name leads out of the root
   */
  static String relative(String archive, long offset, String name) throws IOException {
    String relative = name;
    while (relative.startsWith(HERE)) {
      relative = relative.substring(HERE.length());
    }
    if (RelativeNames.leadsOut(relative)) {
      throw new IOException(
          "%s at byte %d: member %s leads out of the archive: names must be relative and without"
                  .formatted(archive, offset, MemberNames.printable(name))
              + " \"..\"; make the archive again without it");
    }
    return relative;
  }
}
