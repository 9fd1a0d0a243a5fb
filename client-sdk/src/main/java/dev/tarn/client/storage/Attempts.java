package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Counts the failed attempts of one call and waits between them. */
final class Attempts {
  private final RetryPolicy policy;
  private final Pacing pacing;
  private int failures;

  Attempts(StorageOptions options) {
    this.policy = options.retries();
    this.pacing = options.pacing();
  }

  /** Bytes have arrived: the next failure counts as the first. */
  void progressed() {
    failures = 0;
  }

  /** Waits until the next attempt; throws the failure if no attempt is left or would help. */
  void failed(StorageException failure) throws IOException {
    boolean passing = failure.kind() == Kind.UNAVAILABLE || failure.kind() == Kind.TRUNCATED;
    failures++;
    if (!passing || policy.attemptsMax() == 1) {
      throw failure;
    }
    if (failures >= policy.attemptsMax()) {
      throw new StorageException(
          failure.kind(),
          failure.url(),
          "%s (given up after %d attempts)".formatted(failure.what(), failures),
          failure);
    }
    try {
      pacing.pause(policy.delay(failures, pacing.jitter()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException(
              "interrupted while waiting to try again: " + failure.getMessage());
      interrupted.initCause(failure);
      throw interrupted;
    }
  }
}
