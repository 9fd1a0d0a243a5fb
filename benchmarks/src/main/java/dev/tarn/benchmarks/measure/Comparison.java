package dev.tarn.benchmarks.measure;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The rounds of Tarn and of the yardstick. They alternate: changes of the machine's load affect
 * both.
 */
public record Comparison(Measurements ours, Measurements yardstick) {
  public Comparison {
    requireNonNull(ours, "ours is null");
    requireNonNull(yardstick, "yardstick is null");
  }

  /** Runs rounds of both sides alternately. The caller warms them up. */
  public static Comparison alternate(int rounds, Round ours, Round yardstick) throws IOException {
    List<Measurements> sides = alternate(rounds, List.of(ours, yardstick));
    return new Comparison(sides.get(0), sides.get(1));
  }

  /** Runs rounds of several sides alternately, to compare any two of them. */
  public static List<Measurements> alternate(int rounds, List<Round> sides) throws IOException {
    List<List<Measurement>> samples = new ArrayList<>();
    sides.forEach(side -> samples.add(new ArrayList<>()));
    for (int i = 0; i < rounds; i++) {
      for (int side = 0; side < sides.size(); side++) {
        samples.get(side).add(sides.get(side).run());
      }
    }
    return samples.stream().map(Measurements::new).toList();
  }

  public double ours(ToDoubleFunction<Measurement> figure) {
    return ours.median(figure);
  }

  public double yardstick(ToDoubleFunction<Measurement> figure) {
    return yardstick.median(figure);
  }
}
