package dev.tarn.benchmarks.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReportTest {
  private static final Cell CELL =
      new Cell("get", "8KiB", 24, 10, "us CPU/request", Optional.of(new Goal.RatioAtMost(1.6)));

  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, UTF_8);

  @Test
  void jsonLineHoldsTheKeysThatTheContractNames() {
    new JsonReport(out).add(CELL);
    assertThat(bytes.toString(UTF_8))
        .isEqualTo(
            "{\"bench\":\"get\",\"cell\":\"8KiB\",\"ours\":24,\"yardstick\":10,"
                + "\"unit\":\"us CPU/request\",\"ratio\":2.4,\"goal\":\"ratio <= 1.6\","
                + "\"ok\":false}\n");
  }

  @Test
  void cellWithoutAGoalIsInOrder() {
    new JsonReport(out).add(new Cell("get", "4KiB", 9, 3, "us CPU/request", Optional.empty()));
    assertThat(bytes.toString(UTF_8)).contains("\"goal\":null,\"ok\":true");
  }

  @Test
  void tableHasOneHeadAndSaysWhatIsMissed() {
    TableReport table = new TableReport(out);
    table.add(CELL);
    table.add(CELL);
    assertThat(bytes.toString(UTF_8).lines())
        .hasSize(3)
        .satisfies(lines -> assertThat(lines.getFirst()).startsWith("bench"))
        .satisfies(
            lines -> assertThat(lines.getLast()).contains("24.00", "2.40").endsWith("MISSED"));
  }

  @Test
  void goalsAreReachedAtTheirBoundAndMissedBeyond() {
    assertThat(new Goal.RatioAtMost(1.3).reached(0, 1.3)).isTrue();
    assertThat(new Goal.RatioAtMost(1.3).reached(0, 1.31)).isFalse();
    assertThat(new Goal.RatioAtLeast(0.7).reached(0, 0.7)).isTrue();
    assertThat(new Goal.RatioAtLeast(0.7).reached(0, 0.69)).isFalse();
    assertThat(new Goal.AtMost(256).reached(256, 9)).isTrue();
    assertThat(new Goal.AtMost(256).reached(257, 0)).isFalse();
    assertThat(new Goal.AtMostBeyond(50).reached(75, 3)).isTrue();
    assertThat(new Goal.AtMostBeyond(50).reached(76, 76 / 25.0)).isFalse();
  }

  @Test
  void slowDiskIsJudgedByItsOwnYardstick() {
    Goal goal = new Goal.AtLeastOrRatio(10_000, 0.5);
    assertThat(goal.reached(10_000, 0.1)).isTrue();
    assertThat(goal.reached(500, 0.5)).isTrue();
    assertThat(goal.reached(500, 0.4)).isFalse();
    assertThat(goal.text()).isEqualTo("ours >= 10000 or ratio >= 0.5");
  }
}
