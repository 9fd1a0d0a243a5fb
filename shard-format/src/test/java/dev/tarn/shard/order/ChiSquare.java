package dev.tarn.shard.order;

import java.util.Arrays;

/** Pearson's test of whether counts are those of equally likely cells. */
final class ChiSquare {
  /** Of the normal distribution: exceeded once in 100,000 tests. */
  private static final double QUANTILE = 4.265;

  private ChiSquare() {}

  /** The statistic. */
  static double of(int[] counts) {
    double expected = Arrays.stream(counts).average().orElseThrow();
    return Arrays.stream(counts)
        .mapToDouble(count -> (count - expected) * (count - expected) / expected)
        .sum();
  }

  /** What chance exceeds once in 100,000 tests, after Wilson and Hilferty. */
  static double bound(int degreesOfFreedom) {
    double spread = 2.0 / (9 * degreesOfFreedom);
    return degreesOfFreedom * Math.pow(1 - spread + QUANTILE * Math.sqrt(spread), 3);
  }
}
