package dev.tarn.benchmarks.report;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * One line of a report.
 *
 * @param goal empty if the figure has no goal
 */
public record Cell(
    String bench, String name, double ours, double yardstick, String unit, Optional<Goal> goal) {
  public Cell {
    requireNonNull(bench, "bench is null");
    requireNonNull(name, "name is null");
    requireNonNull(unit, "unit is null");
    requireNonNull(goal, "goal is null");
  }

  public double ratio() {
    return ours / yardstick;
  }

  /** Whether the goal is met; true if there is none. */
  public boolean ok() {
    return goal.isEmpty() || goal.orElseThrow().reached(ours, ratio());
  }
}
