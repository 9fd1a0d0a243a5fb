package dev.tarn.transport.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AnswerWaitTest {
  private final AnswerWait wait = new AnswerWait();
  private long nowMs;

  private void tick(long lateMs) {
    nowMs += TargetHealth.TICK_MS + lateMs;
    wait.tick(TimeUnit.MILLISECONDS.toNanos(nowMs));
  }

  /** Milliseconds from the beginning of the wait, without the delays, to its end. */
  private long waitMs() {
    long sinceMs = TimeUnit.NANOSECONDS.toMillis(wait.sinceNanos());
    long ms = 0;
    while (!wait.isOver(TimeUnit.MILLISECONDS.toNanos(sinceMs + ms))) {
      ms++;
    }
    return ms;
  }

  @Test
  void quietMachineWaitsForTheUsualTime() {
    wait.begin(0);
    tick(0);
    tick(9);
    assertThat(waitMs()).isEqualTo(1300);
  }

  @Test
  void oneLongDelayShowsNoBusyMachine() {
    wait.begin(0);
    tick(3_000);
    tick(0);
    assertThat(waitMs()).isEqualTo(1300);
  }

  @Test
  void busyMachineGivesTenTimesTheDelayAndAtMostFiveSeconds() {
    wait.begin(0);
    tick(30);
    tick(30);
    assertThat(waitMs()).isEqualTo(1300);
    tick(30);
    assertThat(waitMs()).isEqualTo(1500);
    for (int ticks = 0; ticks < 50; ticks++) {
      tick(100);
    }
    assertThat(waitMs()).isEqualTo(6300);
  }
}
