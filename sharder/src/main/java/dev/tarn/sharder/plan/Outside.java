package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import java.util.List;
import java.util.TreeSet;

/**
 * Files that belong to no sample, since their names have no key or extension.
 *
 * @param count how many there are
 * @param first the first few of their names, in order
 */
public record Outside(long count, List<String> first) {
  private static final int NAMES = 5;

  public Outside {
    first = List.copyOf(first);
  }

  /** Counts them, and keeps the first. */
  static final class Gathering {
    private final TreeSet<String> first = new TreeSet<>(MemberNames::compare);
    private long count;

    void add(String name) {
      count++;
      first.add(name);
      if (first.size() > NAMES) {
        first.pollLast();
      }
    }

    Outside gathered() {
      return new Outside(count, List.copyOf(first));
    }
  }
}
