package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import java.util.Locale;
import java.util.function.Consumer;

/** Counts the links of an archive. They are not packed, because they have no bytes of their own. */
final class LeftOutLinks {
  private String first = "";
  private long count;

  void add(String name) {
    first = count == 0 ? name : first;
    count++;
  }

  /**
   * Notifies the user if there were any links.
   *
   * @param advice how to make the archive without them
   */
  void tell(Consumer<String> notices, String archive, String advice) {
    if (count > 0) {
      notices.accept(
          String.format(
              Locale.ROOT,
              "%s: left out %,d links, which have no bytes of their own, such as %s; %s",
              archive,
              count,
              MemberNames.printable(first),
              advice));
    }
  }
}
