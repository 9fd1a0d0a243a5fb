package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Positions of an epoch in ascending order, kept as spans, so that a few numbers represent any
 * number of positions. Immutable.
 */
public final class Positions {
  /** No positions. */
  public static final Positions NONE = new Positions(List.of());

  /**
   * Consecutive positions.
   *
   * @param from the first position
   * @param to the position after the last one
   */
  public record Span(long from, long to) {
    /** Checks the bounds. */
    public Span {
      if (from < 0 || from >= to) {
        throw new IllegalArgumentException("positions from " + from + " to " + to);
      }
    }

    /** The number of positions. */
    public long length() {
      return to - from;
    }
  }

  private final List<Span> spans;

  /** The number of positions in the spans before each span; the last entry is the total. */
  private final long[] before;

  private Positions(List<Span> spans) {
    this.spans = spans;
    this.before = new long[spans.size() + 1];
    for (int i = 0; i < spans.size(); i++) {
      before[i + 1] = before[i] + spans.get(i).length();
    }
  }

  /** The positions below a length. */
  public static Positions below(long length) {
    return length == 0 ? NONE : new Positions(List.of(new Span(0, length)));
  }

  /**
   * The positions of some spans.
   *
   * @throws IllegalArgumentException if a position is in two of them
   */
  public static Positions of(Collection<Span> spans) {
    List<Span> sorted = new ArrayList<>(spans);
    sorted.sort(Comparator.comparingLong(Span::from));
    List<Span> joined = new ArrayList<>();
    for (Span span : sorted) {
      int last = joined.size() - 1;
      long end = last < 0 ? -1 : joined.get(last).to();
      if (span.from() < end) {
        throw new IllegalArgumentException("position " + span.from() + " is there twice");
      }
      if (span.from() == end) {
        joined.set(last, new Span(joined.get(last).from(), span.to()));
      } else {
        joined.add(span);
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
    return of(parts.stream().flatMap(part -> part.spans.stream()).toList());
  }

  /** The spans in ascending order; no two of them touch. */
  public List<Span> spans() {
    return spans;
  }

  /** The number of positions. */
  public long count() {
    return before[before.length - 1];
  }

  /**
   * One position.
   *
   * @param number from 0
   */
  public long get(long number) {
    if (number < 0 || number >= count()) {
      throw new IndexOutOfBoundsException("position " + number + " of " + count());
    }
    int at = spanOf(number);
    return spans.get(at).from() + (number - before[at]);
  }

  /**
   * Some of these positions.
   *
   * @param from number of the first, from 0
   * @param to number after the last
   */
  public Positions slice(long from, long to) {
    if (from < 0 || from > to || to > count()) {
      throw new IndexOutOfBoundsException("positions " + from + " to " + to + " of " + count());
    }
    if (from == to) {
      return NONE;
    }
    List<Span> part = new ArrayList<>();
    for (int i = spanOf(from); i < spans.size() && before[i] < to; i++) {
      long start = spans.get(i).from() - before[i];
      part.add(new Span(start + Math.max(from, before[i]), start + Math.min(to, before[i + 1])));
    }
    return new Positions(List.copyOf(part));
  }

  private int spanOf(long number) {
    int found = Arrays.binarySearch(before, number);
    return found >= 0 ? found : -found - 2;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Positions positions && spans.equals(positions.spans);
  }

  @Override
  public int hashCode() {
    return spans.hashCode();
  }

  @Override
  public String toString() {
    return "Positions" + spans;
  }
}
