package dev.tarn.sharder.source;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.name.MemberNames;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Counts and reports what a source has beside files and folders, which is not packed: it has no
 * bytes of its own. What is hidden does not count if hidden files are not packed either.
 * Thread-safe.
 */
public final class LeftOut {
  /** A kind of what is left out. */
  public enum Kind {
    LINK("links, which have no bytes of their own"),
    SPECIAL("pipes, sockets or devices, which have no bytes to pack");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private static final class Count {
    private final String first;
    private long count;

    Count(String first) {
      this.first = first;
    }
  }

  private final String source;
  private final boolean takesHidden;
  private final ListingFaults faults;
  private final Map<Kind, Count> counts = new EnumMap<>(Kind.class);

  /**
   * @param source its name in messages
   * @param takesHidden whether hidden files are packed
   * @param faults receives each name
   */
  public LeftOut(String source, boolean takesHidden, ListingFaults faults) {
    this.source = requireNonNull(source, "source is null");
    this.takesHidden = takesHidden;
    this.faults = requireNonNull(faults, "faults is null");
  }

  /** Counts a name of a source with these options. */
  public static LeftOut of(String source, SourceOptions options) {
    return new LeftOut(source, options.takesHidden(), options.faults());
  }

  /** Counts a name. */
  public synchronized void add(Kind kind, String name) throws IOException {
    if (!takesHidden && RelativeNames.isHidden(name)) {
      faults.report(name, "", "hidden (--hidden packs it)");
      return;
    }
    counts.computeIfAbsent(kind, _ -> new Count(name)).count++;
    faults.report(name, "", "one of the " + kind.text + ", in " + source);
  }

  /**
   * Notifies the user once for each kind.
   *
   * @param linkAdvice how to store files instead of links
   */
  public synchronized void tell(Consumer<String> notices, String linkAdvice) {
    counts.forEach((kind, count) ->
        notices.accept(
            String.format(
                Locale.ROOT,
                "%s: left out %,d %s, such as %s%s",
                source,
                count.count,
                kind.text,
                MemberNames.printable(count.first),
                kind == Kind.LINK ? "; " + linkAdvice : "")));
  }
}
