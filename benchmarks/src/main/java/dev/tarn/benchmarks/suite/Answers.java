package dev.tarn.benchmarks.suite;

import dev.tarn.benchmarks.load.TimedAnswer;
import java.util.List;
import java.util.function.Predicate;

/** The answers to the requests of a paced load, or some of them. */
record Answers(List<TimedAnswer> all) {
  Answers {
    all = List.copyOf(all);
  }

  Answers select(Predicate<TimedAnswer> condition) {
    return new Answers(all.stream().filter(condition).toList());
  }

  int count() {
    return all.size();
  }

  long failures() {
    return all.stream().filter(answer -> !answer.ok()).count();
  }

  double servedPercent() {
    return 100.0 * (count() - failures()) / count();
  }

  double percentileMs(int percent) {
    double[] sorted = all.stream().mapToDouble(TimedAnswer::latencyMs).sorted().toArray();
    return sorted[(sorted.length - 1) * percent / 100];
  }

  double longestMs() {
    return all.stream().mapToDouble(TimedAnswer::latencyMs).max().orElse(0);
  }
}
