package dev.tarn.client.storage;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** The time and chance that retries depend on, so that a test can hold both still. */
public interface Pacing {
  /** Real waits, jitter from the thread's random generator. */
  Pacing REAL =
      new Pacing() {
        @Override
        public void pause(Duration duration) throws InterruptedException {
          Thread.sleep(duration.toMillis(), duration.toNanosPart() % 1_000_000);
        }

        @Override
        public double jitter() {
          return ThreadLocalRandom.current().nextDouble();
        }
      };

  /** Waits. */
  void pause(Duration duration) throws InterruptedException;

  /** A random number in [0, 1). */
  double jitter();
}
