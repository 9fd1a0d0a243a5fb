package dev.tarn.benchmarks.policy;

import static java.util.Locale.ROOT;

import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.report.Report;
import java.util.List;
import java.util.Optional;

/**
 * The policy of the cache beside others, on workloads of training jobs: the share of bytes that the
 * cache serves, the first fill included, and the bytes written for each byte read. The yardstick of
 * a cell is the other policy.
 */
public final class PolicyComparison {
  private static final List<Long> SEEDS = List.of(42L, 7L, 1234L);

  /** Of what a cache with a fixed part serves. */
  private static final Goal EPOCHS_GOAL = new Goal.RatioAtLeast(0.98);

  private PolicyComparison() {}

  /**
   * Compares.
   *
   * @param small whether to use small workloads and one seed
   */
  public static void run(Report report, boolean small) {
    for (long seed : small ? SEEDS.subList(0, 1) : SEEDS) {
      for (PolicyCase policyCase : PolicyCase.all(small)) {
        Workload workload = policyCase.workload().apply(seed);
        compare(report, policyCase, workload, workload.name() + ", seed " + seed);
      }
    }
    int entries = small ? 100_000 : 10_000_000;
    DecisionCost cost = DecisionCost.measure(entries, entries / 5);
    String of = String.format(ROOT, "%,d entries", entries);
    add(report, of + ", hit", cost.referenceMicros(), 1, "us", Optional.empty());
    add(report, of + ", decision", cost.decisionMicros(), 5, "us", Optional.of(new Goal.AtMost(5)));
    double memory = (double) cost.memoryBytes() / entries;
    add(report, of + ", memory", memory, 72, "bytes/entry", Optional.of(new Goal.AtMost(72)));
  }

  private static void compare(
      Report report, PolicyCase policyCase, Workload workload, String name) {
    Replay ours = PlayedPolicy.TENURE.play(workload);
    for (PlayedPolicy other : PlayedPolicy.values()) {
      if (other != PlayedPolicy.TENURE) {
        Replay theirs = other.play(workload);
        Optional<Goal> goal =
            policyCase.isEpochs() && other == PlayedPolicy.FIXED_PART
                ? Optional.of(EPOCHS_GOAL)
                : other == PlayedPolicy.LRU && policyCase.goal().isPresent()
                    ? Optional.of(new Goal.AtLeast(policyCase.goal().orElseThrow()))
                    : Optional.empty();
        String beside = other.name().toLowerCase(ROOT).replace('_', ' ');
        add(report, name + ", " + beside, ours.hitShare(), theirs.hitShare(), "hits", goal);
        if (other == PlayedPolicy.CAFFEINE) {
          add(
              report,
              name + ", " + beside,
              ours.writtenShare(),
              theirs.writtenShare(),
              "written",
              Optional.empty());
        }
      }
    }
  }

  private static void add(
      Report report, String name, double ours, double yardstick, String unit, Optional<Goal> goal) {
    report.add(new Cell("cache", name, ours, yardstick, unit, goal));
  }
}
