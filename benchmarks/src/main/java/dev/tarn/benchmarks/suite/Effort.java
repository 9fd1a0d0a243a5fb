package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How long to measure.
 *
 * @param rounds of each side
 * @param warmUp of each side before the first round, so that the JIT has settled
 * @param quick small corpora: shows that a benchmark works, its figures say little
 * @param size the size of objects to measure alone, such as {@code 1MiB}; empty for all
 */
public record Effort(
    int rounds, Duration round, Duration warmUp, boolean quick, Optional<String> size) {
  private static final int ROUNDS_MIN = 3;

  public Effort {
    requireNonNull(round, "round is null");
    requireNonNull(warmUp, "warmUp is null");
    requireNonNull(size, "size is null");
    if (rounds < ROUNDS_MIN) {
      throw new IllegalArgumentException(
          "rounds must be at least %d, for a median: %d".formatted(ROUNDS_MIN, rounds));
    }
    if (!round.isPositive() || !warmUp.isPositive()) {
      throw new IllegalArgumentException("rounds and warm-up must last longer than nothing");
    }
  }

  /**
   * Those of these that are to be measured.
   *
   * @param name of a size
   */
  <T> List<T> sizes(List<T> all, Function<T, String> name) {
    List<T> wanted =
        all.stream()
            .filter(one -> size.isEmpty() || size.orElseThrow().equals(name.apply(one)))
            .toList();
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "--size is %s, must be one of %s"
              .formatted(size.orElseThrow(), all.stream().map(name).toList()));
    }
    return wanted;
  }

  /** The second where only a smoke run is asked for. */
  int count(int full, int smoke) {
    return quick ? smoke : full;
  }
}
