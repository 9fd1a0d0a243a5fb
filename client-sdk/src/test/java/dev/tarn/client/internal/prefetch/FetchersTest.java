package dev.tarn.client.internal.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many threads fetch parts of local files. */
final class FetchersTest {
  private static final int CONNECTIONS = 6;
  private static final int TAKES = 1000;
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private final EpochThreads threads = new EpochThreads();
  private final Fetchers fetchers = new Fetchers(threads, () -> {}, CONNECTIONS, () -> this.now);
  private long now;
  private long waited;

  @AfterEach
  void end() {
    threads.end();
  }

  /** The consumer works, waits for a part, and takes it. */
  private void take(long workNanos, long waitNanos) {
    now += workNanos + waitNanos;
    waited += waitNanos;
    fetchers.taken(waited);
  }

  @Test
  void oneKeepsUpWithAConsumerThatHardlyWaits() {
    fetchers.start(true);
    take(0, 30 * MS);
    for (int i = 0; i < TAKES; i++) {
      take(5 * MS, MS / 50);
    }
    assertThat(fetchers.count()).isEqualTo(1);
  }

  @Test
  void theyAreSoonAsManyAsMayBeWhereTheConsumerWaitsForAllParts() {
    fetchers.start(true);
    for (int i = 0; i < 30; i++) {
      take(0, MS);
    }
    assertThat(fetchers.count()).isEqualTo(CONNECTIONS);
  }

  /** Of the parts that it takes in a step the first is always there. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16})
  void moreComeWhereItWaitsOnceInEachStep(int parts) {
    fetchers.start(true);
    for (int i = 0; i < TAKES; i++) {
      take(i % parts == 0 ? 5 * MS : 0, i % parts == 1 ? MS : 0);
    }
    assertThat(fetchers.count()).isEqualTo(CONNECTIONS);
  }

  @Test
  void allThatMayFetchBeginWithWhatIsFarAway() {
    fetchers.start(false);
    assertThat(fetchers.count()).isEqualTo(CONNECTIONS);
  }
}
