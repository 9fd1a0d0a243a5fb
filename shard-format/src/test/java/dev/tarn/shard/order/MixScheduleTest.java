package dev.tarn.shard.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class MixScheduleTest {
  @Test
  void anyPositionHasTheStateThatThoseBeforeItLead() {
    Random random = new Random(1);
    for (int round = 0; round < 300; round++) {
      long[] items = random.longs(1 + random.nextInt(6), 0, 60).toArray();
      MixSchedule schedule = new MixSchedule(items);
      long[] counts = new long[items.length];
      for (long position = 0; position < schedule.length(); position++) {
        assertThat(schedule.before(position)).isEqualTo(counts);
        counts[schedule.next(counts)]++;
      }
      assertThat(counts).isEqualTo(items);
      assertThat(schedule.before(schedule.length())).isEqualTo(items);
    }
  }

  @Test
  void datasetsAreSpreadEvenly() {
    MixSchedule schedule = new MixSchedule(new long[] {700, 250, 50});
    long[] counts = new long[3];
    for (int position = 0; position < 1000; position++) {
      assertThat(counts[0]).isBetween((long) (position * .7) - 1, (long) (position * .7) + 2);
      assertThat(counts[1]).isBetween((long) (position * .25) - 1, (long) (position * .25) + 2);
      assertThat(counts[2]).isBetween((long) (position * .05) - 1, (long) (position * .05) + 2);
      counts[schedule.next(counts)]++;
    }
  }

  @Test
  void hugeMixesAreExact() {
    long[] items = {1L << 40, (1L << 39) + 7, 3};
    MixSchedule schedule = new MixSchedule(items);
    long position = schedule.length() / 3;

    long[] counts = schedule.before(position);

    assertThat(Arrays.stream(counts).sum()).isEqualTo(position);
    long[] behind = counts.clone();
    behind[schedule.next(counts)]++;
    assertThat(schedule.before(position + 1)).isEqualTo(behind);
  }

  @Test
  void weightsDealAllPositions() {
    MixSchedule schedule = MixSchedule.of(new double[] {0.5, 0.3, 0.2}, 1001);

    assertThat(schedule.length()).isEqualTo(1001);
    assertThat(schedule.items(0)).isBetween(500L, 501L);
    assertThat(schedule.items(1)).isBetween(300L, 301L);
    assertThat(schedule.items(2)).isBetween(200L, 201L);
    assertThat(MixSchedule.of(new double[] {1e-9, 1, 1e9}, 5).length()).isEqualTo(5);
  }

  @Test
  void weightsMustBePositive() {
    for (double weight : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> MixSchedule.of(new double[] {1, weight}, 10))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("weight of " + weight);
    }
  }
}
