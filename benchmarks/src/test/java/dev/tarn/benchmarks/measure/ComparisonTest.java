package dev.tarn.benchmarks.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ComparisonTest {
  @Test
  void sidesTakeTurnsAndTheMedianCounts() throws IOException {
    List<String> turns = new ArrayList<>();
    Queue<Long> oursCpu = new ArrayDeque<>(List.of(9_000L, 1_000L, 2_000L));
    Queue<Long> yardstickCpu = new ArrayDeque<>(List.of(4_000L, 90_000L, 5_000L));
    Comparison comparison =
        Comparison.alternate(
            3,
            () -> {
              turns.add("ours");
              return new Measurement(1, 1, 1, oursCpu.remove());
            },
            () -> {
              turns.add("yardstick");
              return new Measurement(1, 1, 1, yardstickCpu.remove());
            });
    assertThat(turns)
        .containsExactly("ours", "yardstick", "ours", "yardstick", "ours", "yardstick");
    assertThat(comparison.ours(Measurement::cpuMicrosPerOperation)).isEqualTo(2);
    assertThat(comparison.yardstick(Measurement::cpuMicrosPerOperation)).isEqualTo(5);
  }

  @Test
  void severalSidesTakeTurnsToo() throws IOException {
    List<String> turns = new ArrayList<>();
    List<Round> sides =
        Stream.of("a", "b", "c")
            .<Round>map(side ->
                () -> {
                  turns.add(side);
                  return new Measurement(turns.size(), 1, 1, 1);
                })
            .toList();
    List<Measurements> measured = Comparison.alternate(2, sides);
    assertThat(turns).containsExactly("a", "b", "c", "a", "b", "c");
    assertThat(measured)
        .extracting(side -> side.rounds().get(1).operations())
        .containsExactly(4L, 5L, 6L);
  }

  @Test
  void sampleGivesRatesAndCosts() {
    Measurement sample = new Measurement(1_000, 2_000_000_000, 500_000_000, 4_000_000_000L);
    assertThat(sample.operationsPerSecond()).isEqualTo(2_000);
    assertThat(sample.cpuMicrosPerOperation()).isEqualTo(4_000);
    assertThat(sample.cpuSecondsPerGigabyte()).isEqualTo(2);
  }

  @Test
  void roundWithoutAnOperationIsRefused() {
    assertThatThrownBy(() -> new Measurement(0, 0, 1, 1))
        .hasMessage("operations is 0, must be at least 1");
  }
}
