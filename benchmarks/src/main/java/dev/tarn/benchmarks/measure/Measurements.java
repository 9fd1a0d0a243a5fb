package dev.tarn.benchmarks.measure;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The rounds of one side. */
public record Measurements(List<Measurement> rounds) {
  public Measurements {
    rounds = List.copyOf(rounds);
    if (rounds.isEmpty()) {
      throw new IllegalArgumentException("rounds is empty");
    }
  }

  public double median(ToDoubleFunction<Measurement> figure) {
    double[] sorted = rounds.stream().mapToDouble(figure).sorted().toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
