package dev.tarn.benchmarks.suite;

import static java.util.Objects.requireNonNull;

import dev.tarn.benchmarks.report.Report;
import dev.tarn.benchmarks.server.TarnHome;
import java.nio.file.Path;

/**
 * The input of every benchmark.
 *
 * @param scratch an empty folder, removed after the benchmark
 */
public record Run(TarnHome home, Path scratch, Effort effort, Report report) {
  public Run {
    requireNonNull(home, "home is null");
    requireNonNull(scratch, "scratch is null");
    requireNonNull(effort, "effort is null");
    requireNonNull(report, "report is null");
  }
}
