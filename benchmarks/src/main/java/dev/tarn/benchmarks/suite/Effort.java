package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * How long and what to measure.
 *
 * @param rounds the number of rounds of each side
 * @param warmUp the time to warm up each side before the first round, for the JIT compiler
 * @param quick whether to use small corpora; they show that a benchmark works, not how fast it is
 * @param size the only size of objects to measure, such as {@code 1MiB}; empty for all
 * @param scenario the only scenario of a benchmark to run; empty for all
 * @param slowClients the number of slow clients of a load
 * @param hold how long the slow clients or busy processes of a load stay
 * @param policyOnly whether to compare only the policies of the cache, without a server
 */
public record Effort(
    int rounds,
    Duration round,
    Duration warmUp,
    boolean quick,
    Optional<String> size,
    Optional<String> scenario,
    int slowClients,
    Duration hold,
    boolean policyOnly) {
  private static final int ROUNDS_MIN = 3;
  private static final int SLOW_CLIENTS_MIN = 3;
  private static final int SLOW_CLIENTS_MAX = 1_000_000;

  /** The signatures of a load are valid for 15 minutes. */
  private static final Duration HOLD_MAX = Duration.ofMinutes(10);

  public Effort {
    requireNonNull(round, "round is null");
    requireNonNull(warmUp, "warmUp is null");
    requireNonNull(size, "size is null");
    requireNonNull(scenario, "scenario is null");
    requireNonNull(hold, "hold is null");
    if (rounds < ROUNDS_MIN) {
      throw new IllegalArgumentException(
          "rounds must be at least %d, for a median: %d".formatted(ROUNDS_MIN, rounds));
    }
    if (!round.isPositive() || !warmUp.isPositive()) {
      throw new IllegalArgumentException("rounds and warm-up must be longer than 0 s");
    }
    if (slowClients < SLOW_CLIENTS_MIN || slowClients > SLOW_CLIENTS_MAX) {
      throw new IllegalArgumentException(
          "clients must be from %d to %,d: %d"
              .formatted(SLOW_CLIENTS_MIN, SLOW_CLIENTS_MAX, slowClients));
    }
    if (!hold.isPositive() || hold.compareTo(HOLD_MAX) > 0) {
      throw new IllegalArgumentException(
          "hold must be from 1 to %d s: %d".formatted(HOLD_MAX.toSeconds(), hold.toSeconds()));
    }
  }

  /**
   * Selects the sizes to measure.
   *
   * @param name returns the name of a size
   */
  <T> List<T> sizes(List<T> all, Function<T, String> name) {
    return selected("--size", size, all, name);
  }

  /**
   * Selects the scenarios to run.
   *
   * @param name returns the name of a scenario
   */
  <T> List<T> scenarios(List<T> all, Function<T, String> name) {
    return selected("--scenario", scenario, all, name);
  }

  private static <T> List<T> selected(
      String option, Optional<String> only, List<T> all, Function<T, String> name) {
    List<T> wanted =
        all.stream()
            .filter(one -> only.isEmpty() || only.orElseThrow().equals(name.apply(one)))
            .toList();
    if (wanted.isEmpty()) {
      throw new IllegalArgumentException(
          "%s is %s, must be one of %s"
              .formatted(option, only.orElseThrow(), all.stream().map(name).toList()));
    }
    return wanted;
  }

  /** The first count, or the second for a quick run. */
  int count(int full, int smoke) {
    return quick ? smoke : full;
  }
}
