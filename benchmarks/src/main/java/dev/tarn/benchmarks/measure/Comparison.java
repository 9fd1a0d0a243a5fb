package dev.tarn.benchmarks.measure;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Ours and the yardstick, measured in turns so that both meet the same weather. */
public record Comparison(Samples ours, Samples yardstick) {
  public Comparison {
    requireNonNull(ours, "ours is null");
    requireNonNull(yardstick, "yardstick is null");
  }

  /** Runs both sides in turns; warming up is the caller's. */
  public static Comparison alternate(int rounds, Round ours, Round yardstick) throws IOException {
    List<Sample> oursRounds = new ArrayList<>();
    List<Sample> yardstickRounds = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      oursRounds.add(ours.run());
      yardstickRounds.add(yardstick.run());
    }
    return new Comparison(new Samples(oursRounds), new Samples(yardstickRounds));
  }

  public double ours(ToDoubleFunction<Sample> figure) {
    return ours.median(figure);
  }

  public double yardstick(ToDoubleFunction<Sample> figure) {
    return yardstick.median(figure);
  }
}
