package dev.tarn.client.storage;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/** Time and chance of the retries, which a test can replace. */
public interface Pacing {
  /** Real waits, and jitter of the thread's random generator. */
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
