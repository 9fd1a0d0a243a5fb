package dev.tarn.sharder.source.archive;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.source.RelativeNames;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Counts the links of an archive. They are not packed, because they have no bytes of their own.
 * Hidden links are not counted if hidden files are not packed either.
 */
final class LeftOutLinks {
  private final boolean takesHidden;
  private String first = "";
  private long count;

  LeftOutLinks(boolean takesHidden) {
    this.takesHidden = takesHidden;
  }

  void add(String name) {
    if (!takesHidden && RelativeNames.isHidden(name)) {
      return;
    }
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
