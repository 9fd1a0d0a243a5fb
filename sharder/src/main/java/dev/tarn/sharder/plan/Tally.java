package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import java.util.List;
import java.util.TreeSet;

/**
 * A count, with a few examples.
 *
 * @param count the total number
 * @param first the first few names, in sorted order
 */
public record Tally(long count, List<String> first) {
  /** A count of 0. */
  public static final Tally NONE = new Tally(0, List.of());

  private static final int NAMES = 5;

  public Tally {
    first = List.copyOf(first);
  }

  /** Counts names, and keeps the first few. */
  static final class Counter {
    private final TreeSet<String> first = new TreeSet<>(MemberNames::compare);
    private long count;

    void add(String name) {
      count++;
      first.add(name);
      if (first.size() > NAMES) {
        first.pollLast();
      }
    }

    Tally tally() {
      return new Tally(count, List.copyOf(first));
    }
  }
}
