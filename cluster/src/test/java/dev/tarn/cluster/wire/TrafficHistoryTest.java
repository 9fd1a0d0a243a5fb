package dev.tarn.cluster.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.wire.TargetReport.Traffic;
import dev.tarn.cluster.wire.TrafficHistory.Step;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TrafficHistoryTest {
  private static final Traffic ONE = new Traffic(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 60);
  private static final Traffic OTHER = new Traffic(10, 20, 30, 40, 50, 60, 70, 5, 90, 100, 60);
  private static final TrafficHistory HISTORY =
      new TrafficHistory(
          List.of(new Step(60_000, ONE), new Step(120_000, OTHER)), List.of(new Step(0, ONE)));

  @Test
  void historyIsReadAsItWasWritten() throws Exception {
    assertThat(TrafficHistory.decode(HISTORY.encode())).isEqualTo(HISTORY);
    assertThat(TrafficHistory.decode(TrafficHistory.NONE.encode())).isEqualTo(TrafficHistory.NONE);
  }

  @Test
  void whatIsCutShortIsRefused() {
    byte[] whole = HISTORY.encode();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> TrafficHistory.decode(part)).isInstanceOf(WireException.class);
    }
  }

  @Test
  void stepsOfTwoTargetsAreAddedByTheirTimes() {
    TrafficHistory other =
        new TrafficHistory(List.of(new Step(0, ONE), new Step(60_000, OTHER)), List.of());

    assertThat(HISTORY.plus(other).minutes())
        .containsExactly(
            new Step(0, ONE),
            new Step(60_000, new Traffic(11, 22, 33, 44, 55, 66, 77, 8, 99, 110, 60)),
            new Step(120_000, OTHER));
    assertThat(HISTORY.plus(other).fiveMinutes()).isEqualTo(HISTORY.fiveMinutes());
  }

  @Test
  void sumOverTimeHasTheBusiestPartAndNotTheSumOfThem() {
    assertThat(TrafficHistory.since(HISTORY.minutes(), 60_000, 300))
        .isEqualTo(new Traffic(11, 22, 33, 44, 55, 66, 77, 8, 90, 100, 300));
    assertThat(TrafficHistory.since(HISTORY.minutes(), 60_001, 60)).isEqualTo(OTHER);
    assertThat(TrafficHistory.since(HISTORY.minutes(), 120_001, 60)).isEqualTo(Traffic.NONE);
  }
}
