package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.RelativeNames;
import java.io.IOException;

/** Checks members' names, which come from the archive's author and are not trusted. */
final class MemberPaths {
  private static final String HERE = "./";

  private MemberPaths() {}

  /**
   * The name relative to the archive's root.
   *
   * @throws IOException naming archive and place if it leads out of there
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
              + " \"..\"; make the archive anew without it");
    }
    return relative;
  }
}
