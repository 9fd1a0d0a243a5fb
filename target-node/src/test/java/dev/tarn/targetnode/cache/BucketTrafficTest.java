package dev.tarn.targetnode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.wire.TargetReport.Traffic;
import dev.tarn.cluster.wire.TrafficHistory;
import dev.tarn.cluster.wire.TrafficHistory.Step;
import dev.tarn.targetnode.cache.BucketTraffic.Figure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BucketTrafficTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  /** A time at which an interval of five minutes begins. */
  private static final long START_MS = 1_800_000_000_000L;

  private static final long FIRST_SECOND = 1_000_000;

  private long seconds = FIRST_SECOND;
  private final BucketTraffic traffic =
      new BucketTraffic(() -> TimeUnit.SECONDS.toNanos(seconds), START_MS, true);

  private TrafficHistory history() {
    return traffic.history(START_MS + TimeUnit.SECONDS.toMillis(seconds - FIRST_SECOND));
  }

  @Test
  void stepsMoveWithAClockThatWasWrongAtTheStart() {
    traffic.add(Figure.HITS, 1);
    seconds += 120;
    traffic.add(Figure.HITS, 2);
    long rightMs = START_MS + TimeUnit.DAYS.toMillis(700) + 120_000;

    assertThat(traffic.history(rightMs).minutes())
        .extracting(Step::startMs)
        .containsExactly(rightMs - 120_000, rightMs);
    assertThat(traffic.history(rightMs).fiveMinutes())
        .extracting(Step::startMs)
        .containsExactly(rightMs - 120_000);
  }

  @Test
  void countsOfTheLastMinuteAndHourLeaveOutWhatIsOlder() {
    for (int second = 0; second < 3 * 3600; second++) {
      traffic.add(Figure.HITS, 1);
      seconds++;
    }

    assertThat(traffic.sinceStart().hits()).isEqualTo(3 * 3600);
    assertThat(traffic.ofLast(HOUR).hits()).isBetween(3600L, 3610L);
    assertThat(traffic.ofLast(MINUTE).hits()).isBetween(60L, 70L);
  }

  @Test
  void figuresAreCountedApart() {
    traffic.add(Figure.HIT_BYTES, 1000);
    traffic.add(Figure.MISSES, 1);

    assertThat(traffic.ofLast(MINUTE).hitBytes()).isEqualTo(1000);
    assertThat(traffic.ofLast(MINUTE).misses()).isEqualTo(1);
    assertThat(traffic.ofLast(MINUTE).hits()).isZero();
  }

  @Test
  void busiestTenSecondsAreFound() {
    for (int second = 0; second < 3600; second++) {
      traffic.add(Figure.HITS, second / 10 == 100 ? 7 : 1);
      traffic.add(Figure.MISSES, 1);
      seconds++;
    }

    assertThat(traffic.ofLast(HOUR).busiestReads()).isEqualTo(80);
    assertThat(traffic.ofLast(MINUTE).busiestReads()).isEqualTo(20);
    assertThat(traffic.ofLast(HOUR).busiestBytes()).isZero();
  }

  @Test
  void secondsAreThoseThatAreCounted() {
    seconds += 30;
    assertThat(traffic.ofLast(HOUR).seconds()).isEqualTo(30);
    assertThat(traffic.ofLast(MINUTE).seconds()).isEqualTo(30);
    seconds += 2 * 3600 + 5;
    assertThat(traffic.ofLast(HOUR).seconds()).isBetween(3600L, 3610L);
    assertThat(traffic.ofLast(MINUTE).seconds()).isEqualTo(65);
  }

  @Test
  void slowestFetchIsThatOfTheTimeAskedFor() {
    traffic.addFetch(9000, true);
    seconds += 600;
    traffic.addFetch(300, false);
    traffic.addFetch(500, false);

    assertThat(traffic.ofLast(MINUTE).slowestFetchMicros()).isEqualTo(500);
    assertThat(traffic.ofLast(HOUR).slowestFetchMicros()).isEqualTo(9000);
    seconds += 7200;
    assertThat(traffic.ofLast(HOUR).slowestFetchMicros()).isZero();
    assertThat(traffic.sinceStart().slowestFetchMicros()).isEqualTo(9000);
    assertThat(traffic.sinceStart().fetches()).isEqualTo(3);
    assertThat(traffic.sinceStart().fetchErrors()).isEqualTo(1);
    assertThat(traffic.sinceStart().fetchMicros()).isEqualTo(9800);
  }

  @Test
  void nothingIsCountedTwiceAfterALongPause() {
    traffic.add(Figure.MISSES, 5);
    seconds += 10L * 3600;
    assertThat(traffic.ofLast(HOUR).misses()).isZero();

    traffic.add(Figure.MISSES, 2);
    assertThat(traffic.ofLast(HOUR).misses()).isEqualTo(2);
    seconds += 1800;
    assertThat(traffic.ofLast(MINUTE).misses()).isZero();
    assertThat(traffic.ofLast(HOUR).misses()).isEqualTo(2);
    assertThat(traffic.sinceStart().misses()).isEqualTo(7);
  }

  @Test
  void historyHasTheLastHourByMinutesAndTheLastDayByFiveMinutes() {
    seconds += 60;
    traffic.add(Figure.HIT_BYTES, 300);
    seconds += 10;
    traffic.add(Figure.FETCHED_BYTES, 500);
    traffic.addFetch(7000, true);
    seconds += 50;
    traffic.add(Figure.HIT_BYTES, 40);

    Traffic first = new Traffic(0, 0, 300, 500, 1, 1, 7000, 7000, 0, 500, 60);
    Traffic second = new Traffic(0, 0, 40, 0, 0, 0, 0, 0, 0, 40, 60);
    assertThat(history().minutes())
        .containsExactly(new Step(START_MS + 60_000, first), new Step(START_MS + 120_000, second));
    Traffic both = new Traffic(0, 0, 340, 500, 1, 1, 7000, 7000, 0, 500, 300);
    assertThat(history().fiveMinutes()).containsExactly(new Step(START_MS, both));

    seconds += 2 * 3600;
    assertThat(history().minutes()).isEmpty();
    assertThat(history().fiveMinutes()).containsExactly(new Step(START_MS, both));
    seconds += 22 * 3600;
    assertThat(history()).isEqualTo(TrafficHistory.NONE);
  }

  @Test
  void historyOfABusyDayHasABoundAndNoGap() {
    for (int step = 0; step < 3 * 24 * 360; step++) {
      traffic.add(Figure.HITS, 1);
      seconds += 10;
    }
    traffic.add(Figure.HITS, 1);

    assertThat(history().minutes()).hasSize(60);
    assertThat(history().fiveMinutes()).hasSize(288);
    assertThat(history().minutes().getFirst().traffic().hits()).isEqualTo(6);
    assertThat(history().fiveMinutes().getFirst().traffic().hits()).isEqualTo(30);
    assertThat(history().encode()).hasSizeLessThan(TrafficHistory.BYTES_MAX);
  }

  @Test
  void bucketBeyondTheBoundKeepsTheLastHour() {
    BucketTraffic other =
        new BucketTraffic(() -> TimeUnit.SECONDS.toNanos(seconds), START_MS, false);
    for (int i = 0; i < 5; i++) {
      other.add(Figure.HITS, 1);
      seconds += 600;
    }

    assertThat(other.ofLast(HOUR).hits()).isEqualTo(5);
    assertThat(
            other.history(START_MS + TimeUnit.SECONDS.toMillis(seconds - FIRST_SECOND)).minutes())
        .hasSize(5);
    assertThat(
            other
                .history(START_MS + TimeUnit.SECONDS.toMillis(seconds - FIRST_SECOND))
                .fiveMinutes())
        .hasSize(1);
  }
}
