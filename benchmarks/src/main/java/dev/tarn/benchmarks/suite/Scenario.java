package dev.tarn.benchmarks.suite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A part of a benchmark that can be run alone ({@code --scenario}). */
record Scenario(String name, Benchmark benchmark) {
  /** Runs those that are wanted, each with a folder of its own. */
  static void run(Run run, List<Scenario> all) throws IOException {
    for (Scenario scenario : run.effort().scenarios(all, Scenario::name)) {
      Path scratch = Files.createDirectory(run.scratch().resolve(scenario.name()));
      scenario.benchmark().run(new Run(run.home(), scratch, run.effort(), run.report()));
    }
  }
}
