package dev.tarn.standalone.demo;

import static java.util.Objects.requireNonNull;

import dev.tarn.standalone.demo.EpochDigest.Delivered;
import java.time.Duration;

/**
 * A timed pass over the data.
 *
 * @param samples how many requests or samples the reader counted
 */
record Epoch(Delivered delivered, long samples, Duration elapsed) {
  private static final double NANOS_PER_SECOND = 1e9;

  Epoch {
    requireNonNull(delivered, "delivered is null");
    if (!elapsed.isPositive()) {
      throw new IllegalArgumentException("an epoch takes time: " + elapsed);
    }
  }

  double samplesPerSecond() {
    return samples * NANOS_PER_SECOND / elapsed.toNanos();
  }

  double filesPerSecond() {
    return delivered.files() * NANOS_PER_SECOND / elapsed.toNanos();
  }
}
