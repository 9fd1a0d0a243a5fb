package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Positions of an epoch in ascending order, kept as stretches: a few numbers stand for any number
 * of positions. Immutable.
 */
public final class Positions {
  /** No positions. */
  public static final Positions NONE = new Positions(List.of());

  /**
   * Positions that follow each other.
   *
   * @param from the first
   * @param to behind the last
   */
  public record Stretch(long from, long to) {
    /** Checks the bounds. */
    public Stretch {
      if (from < 0 || from >= to) {
        throw new IllegalArgumentException("positions from " + from + " to " + to);
      }
    }

    /** How many. */
    public long length() {
      return to - from;
    }
  }

  private final List<Stretch> stretches;

  /** How many positions the stretches before each have together, and all of them at the end. */
  private final long[] before;

  private Positions(List<Stretch> stretches) {
    this.stretches = stretches;
    this.before = new long[stretches.size() + 1];
    for (int i = 0; i < stretches.size(); i++) {
      before[i + 1] = before[i] + stretches.get(i).length();
    }
  }

  /** The positions below a length. */
  public static Positions below(long length) {
    return length == 0 ? NONE : new Positions(List.of(new Stretch(0, length)));
  }

  /**
   * The positions of some stretches.
   *
   * @throws IllegalArgumentException if a position is in two of them
   */
  public static Positions of(Collection<Stretch> stretches) {
    List<Stretch> sorted = new ArrayList<>(stretches);
    sorted.sort(Comparator.comparingLong(Stretch::from));
    List<Stretch> joined = new ArrayList<>();
    for (Stretch stretch : sorted) {
      int last = joined.size() - 1;
      long end = last < 0 ? -1 : joined.get(last).to();
      if (stretch.from() < end) {
        throw new IllegalArgumentException("position " + stretch.from() + " is there twice");
      }
      if (stretch.from() == end) {
        joined.set(last, new Stretch(joined.get(last).from(), stretch.to()));
      } else {
        joined.add(stretch);
      }
    }
    return new Positions(List.copyOf(joined));
  }

  /**
   * The positions of several parts.
   *
   * @throws IllegalArgumentException if a position is in two of them
   */
  public static Positions union(Collection<Positions> parts) {
    return of(parts.stream().flatMap(part -> part.stretches.stream()).toList());
  }

  /** In ascending order, none touching the next. */
  public List<Stretch> stretches() {
    return stretches;
  }

  /** How many. */
  public long count() {
    return before[before.length - 1];
  }

  /**
   * One of them.
   *
   * @param number from 0
   */
  public long get(long number) {
    if (number < 0 || number >= count()) {
      throw new IndexOutOfBoundsException("position " + number + " of " + count());
    }
    int at = stretchOf(number);
    return stretches.get(at).from() + (number - before[at]);
  }

  /**
   * Some of them.
   *
   * @param from the number of the first, from 0
   * @param to the number behind the last
   */
  public Positions slice(long from, long to) {
    if (from < 0 || from > to || to > count()) {
      throw new IndexOutOfBoundsException("positions " + from + " to " + to + " of " + count());
    }
    if (from == to) {
      return NONE;
    }
    List<Stretch> part = new ArrayList<>();
    for (int i = stretchOf(from); i < stretches.size() && before[i] < to; i++) {
      long start = stretches.get(i).from() - before[i];
      part.add(new Stretch(start + Math.max(from, before[i]), start + Math.min(to, before[i + 1])));
    }
    return new Positions(List.copyOf(part));
  }

  private int stretchOf(long number) {
    int found = Arrays.binarySearch(before, number);
    return found >= 0 ? found : -found - 2;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions positions && stretches.equals(positions.stretches);
  }

  @Override
  public int hashCode() {
    return stretches.hashCode();
  }

  @Override
  public String toString() {
    return "Positions" + stretches;
  }
}
