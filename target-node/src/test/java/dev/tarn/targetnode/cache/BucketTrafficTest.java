package dev.tarn.targetnode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.targetnode.cache.BucketTraffic.Figure;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class BucketTrafficTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration HOUR = Duration.ofHours(1);

  private long seconds = 1_000_000;
  private final BucketTraffic traffic = new BucketTraffic(() -> TimeUnit.SECONDS.toNanos(seconds));

  @Test
  void countsOfTheLastMinuteAndHourLeaveOutWhatIsOlder() {
    for (int second = 0; second < 3 * 3600; second++) {
      traffic.add(Figure.HITS, 1);
      seconds++;
    }

    assertThat(traffic.sinceStart(Figure.HITS)).isEqualTo(3 * 3600);
    assertThat(traffic.ofLast(HOUR, Figure.HITS)).isBetween(3600L, 3610L);
    assertThat(traffic.ofLast(MINUTE, Figure.HITS)).isBetween(60L, 70L);
  }

  @Test
  void figuresAreCountedApart() {
    traffic.add(Figure.HIT_BYTES, 1000);
    traffic.add(Figure.MISSES, 1);

    assertThat(traffic.ofLast(MINUTE, Figure.HIT_BYTES)).isEqualTo(1000);
    assertThat(traffic.ofLast(MINUTE, Figure.MISSES)).isEqualTo(1);
    assertThat(traffic.ofLast(MINUTE, Figure.HITS)).isZero();
  }

  @Test
  void busiestTenSecondsAreFound() {
    for (int second = 0; second < 3600; second++) {
      traffic.add(Figure.HITS, second / 10 == 100 ? 7 : 1);
      traffic.add(Figure.MISSES, 1);
      seconds++;
    }

    assertThat(traffic.busiestOfLast(HOUR, Figure.HITS, Figure.MISSES)).isEqualTo(80);
    assertThat(traffic.busiestOfLast(HOUR, Figure.MISSES)).isEqualTo(10);
    assertThat(traffic.busiestOfLast(MINUTE, Figure.HITS)).isEqualTo(10);
  }

  @Test
  void secondsAreThoseThatAreCounted() {
    seconds += 30;
    assertThat(traffic.secondsOfLast(HOUR)).isEqualTo(30);
    assertThat(traffic.secondsOfLast(MINUTE)).isEqualTo(30);
    seconds += 2 * 3600 + 5;
    assertThat(traffic.secondsOfLast(HOUR)).isBetween(3600L, 3610L);
    assertThat(traffic.secondsOfLast(MINUTE)).isEqualTo(65);
  }

  @Test
  void slowestFetchIsThatOfTheTimeAskedFor() {
    traffic.addFetch(9000, true);
    seconds += 600;
    traffic.addFetch(300, false);
    traffic.addFetch(500, false);

    assertThat(traffic.slowestFetchOfLast(MINUTE)).isEqualTo(500);
    assertThat(traffic.slowestFetchOfLast(HOUR)).isEqualTo(9000);
    seconds += 7200;
    assertThat(traffic.slowestFetchOfLast(HOUR)).isZero();
    assertThat(traffic.slowestFetchSinceStart()).isEqualTo(9000);
    assertThat(traffic.sinceStart(Figure.FETCHES)).isEqualTo(3);
    assertThat(traffic.sinceStart(Figure.FETCH_ERRORS)).isEqualTo(1);
    assertThat(traffic.sinceStart(Figure.FETCH_MICROS)).isEqualTo(9800);
  }

  @Test
  void nothingIsCountedTwiceAfterALongPause() {
    traffic.add(Figure.MISSES, 5);
    seconds += 10L * 3600;
    assertThat(traffic.ofLast(HOUR, Figure.MISSES)).isZero();

    traffic.add(Figure.MISSES, 2);
    assertThat(traffic.ofLast(HOUR, Figure.MISSES)).isEqualTo(2);
    seconds += 1800;
    assertThat(traffic.ofLast(MINUTE, Figure.MISSES)).isZero();
    assertThat(traffic.ofLast(HOUR, Figure.MISSES)).isEqualTo(2);
    assertThat(traffic.sinceStart(Figure.MISSES)).isEqualTo(7);
  }
}
