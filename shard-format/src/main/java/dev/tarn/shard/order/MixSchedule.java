package dev.tarn.shard.order;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * Selects the dataset of a mix for each position, and spreads the datasets as evenly as possible.
 *
 * <p>Item {@code j} of a dataset with {@code n} items is due at {@code (j + 1/2) / n} of the epoch.
 * The item that is due first comes first; of several, the item of the dataset that was named first.
 * Any position can be computed without those before it. Immutable.
 */
public final class MixSchedule {
  private final long[] items;
  private final long length;

  /**
   * Makes a schedule.
   *
   * @param items number of positions of each dataset
   */
  public MixSchedule(long[] items) {
    this.items = items.clone();
    this.length = Arrays.stream(items).reduce(0, Math::addExact);
  }

  /**
   * Assigns positions to datasets by weights. Each dataset gets its share, rounded so that all
   * shares together are {@code length}.
   *
   * @throws IllegalArgumentException if a weight is not a positive number
   */
  public static MixSchedule of(double[] weights, long length) {
    double sum = 0;
    for (double weight : weights) {
      if (!(weight > 0) || Double.isInfinite(weight)) {
        throw new IllegalArgumentException("a weight of " + weight + ", not a positive number");
      }
      sum += weight;
    }
    long[] items = new long[weights.length];
    double reached = 0;
    long assigned = 0;
    for (int i = 0; i < weights.length; i++) {
      reached += weights[i];
      boolean isLast = i == weights.length - 1;
      long end = isLast ? length : Math.min(length, Math.round(length * (reached / sum)));
      items[i] = Math.max(0, end - assigned);
      assigned += items[i];
    }
    return new MixSchedule(items);
  }

  /** The number of positions. */
  public long length() {
    return length;
  }

  /** The number of positions of one dataset. */
  public long items(int dataset) {
    return items[dataset];
  }

  /** The number of items of each dataset before a position. */
  public long[] before(long position) {
    if (position < 0 || position > length) {
      throw new IndexOutOfBoundsException("position " + position + " of " + length);
    }
    // All items that are due by this moment come before later ones; their number is close to the
    // position.
    long[] counts = new long[items.length];
    long reached = 0;
    for (int i = 0; i < items.length; i++) {
      counts[i] = dueBy(position, items[i]);
      reached += counts[i];
    }
    for (; reached < position; reached++) {
      counts[next(counts)]++;
    }
    for (; reached > position; reached--) {
      counts[last(counts)]--;
    }
    return counts;
  }

  /**
   * The dataset of the next item.
   *
   * @param counts number of items of each dataset before it
   */
  public int next(long[] counts) {
    int next = -1;
    for (int i = 0; i < items.length; i++) {
      if (counts[i] < items[i] && (next < 0 || isBefore(counts[i], i, counts[next], next))) {
        next = i;
      }
    }
    if (next < 0) {
      throw new IndexOutOfBoundsException("position " + length + " of " + length);
    }
    return next;
  }

  /** The dataset of the last item. */
  private int last(long[] counts) {
    int last = -1;
    for (int i = 0; i < items.length; i++) {
      if (counts[i] > 0 && (last < 0 || isBefore(counts[last] - 1, last, counts[i] - 1, i))) {
        last = i;
      }
    }
    return last;
  }

  /** The number of items with {@code (j + 1/2) / count <= position / length}. */
  private long dueBy(long position, long count) {
    if (length == 0) {
      return 0;
    }
    BigInteger twice =
        BigInteger.valueOf(position).multiply(BigInteger.valueOf(count)).shiftLeft(1);
    BigInteger all = BigInteger.valueOf(length);
    return twice.add(all).divide(all.shiftLeft(1)).longValueExact();
  }

  private boolean isBefore(long item, int dataset, long otherItem, int other) {
    int order = compareProducts(2 * item + 1, items[other], 2 * otherItem + 1, items[dataset]);
    return order < 0 || (order == 0 && dataset < other);
  }

  private static int compareProducts(long a, long b, long c, long d) {
    int high = Long.compare(Math.multiplyHigh(a, b), Math.multiplyHigh(c, d));
    return high != 0 ? high : Long.compareUnsigned(a * b, c * d);
  }
}
