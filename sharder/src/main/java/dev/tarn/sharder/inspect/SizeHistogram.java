package dev.tarn.sharder.inspect;

import java.util.ArrayList;
import java.util.List;

/** A histogram of sizes, by powers of two. */
public final class SizeHistogram {
  private final long[] counts = new long[Long.SIZE];

  /**
   * A range of sizes.
   *
   * @param from the smallest size
   * @param to the largest size, inclusive
   * @param count the number of sizes in the range
   */
  public record Bucket(long from, long to, long count) {}

  void add(long size) {
    counts[Long.SIZE - Long.numberOfLeadingZeros(size)]++;
  }

  void add(SizeHistogram other) {
    for (int i = 0; i < counts.length; i++) {
      counts[i] += other.counts[i];
    }
  }

  /** Returns the buckets from the first to the last one that is not empty. */
  public List<Bucket> buckets() {
    List<Bucket> buckets = new ArrayList<>();
    int last = counts.length - 1;
    while (last >= 0 && counts[last] == 0) {
      last--;
    }
    for (int i = 0; i <= last; i++) {
      if (counts[i] > 0 || !buckets.isEmpty()) {
        long from = i == 0 ? 0 : 1L << (i - 1);
        buckets.add(new Bucket(from, i == 0 ? 0 : 2 * from - 1, counts[i]));
      }
    }
    return buckets;
  }
}
