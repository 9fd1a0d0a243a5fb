package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * How long to measure.
 *
 * @param rounds of each side
 * @param warmUp of each side before the first round, so that the JIT has settled
 * @param quick small corpora: shows that a benchmark works, its figures say little
 */
public record Effort(int rounds, Duration round, Duration warmUp, boolean quick) {
  private static final int ROUNDS_MIN = 3;

  public Effort {
    requireNonNull(round, "round is null");
    requireNonNull(warmUp, "warmUp is null");
    if (rounds < ROUNDS_MIN) {
      throw new IllegalArgumentException(
          "rounds must be at least %d, for a median: %d".formatted(ROUNDS_MIN, rounds));
    }
    if (!round.isPositive() || !warmUp.isPositive()) {
      throw new IllegalArgumentException("rounds and warm-up must last longer than nothing");
    }
  }

  /** The second where only a smoke run is asked for. */
  int count(int full, int smoke) {
    return quick ? smoke : full;
  }
}
