package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.Pacing;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;

/** Counts the failed attempts of one call and waits between them. */
final class Attempts {
  private final RetryPolicy policy;
  private final Pacing pacing;
  private int failures;

  Attempts(RetryPolicy policy, Pacing pacing) {
    this.policy = policy;
    this.pacing = pacing;
  }

  /** Something came: the next failure is the first again. */
  void progressed() {
    failures = 0;
  }

  /** Returns when it is time to try again; throws the failure where that is no use. */
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
