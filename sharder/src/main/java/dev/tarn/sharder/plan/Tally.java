package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import java.util.List;
import java.util.TreeSet;

/**
 * How many there are of something, and a few examples.
 *
 * @param count how many
 * @param first the first few of their names, in order
 */
public record Tally(long count, List<String> first) {
  /** There are none. */
  public static final Tally NONE = new Tally(0, List.of());

  private static final int NAMES = 5;

  public Tally {
    first = List.copyOf(first);
  }

  /** Counts them, and keeps the first. */
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
