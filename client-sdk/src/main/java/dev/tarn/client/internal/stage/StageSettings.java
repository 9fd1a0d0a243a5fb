package dev.tarn.client.internal.stage;

import static java.util.Objects.requireNonNull;

/**
 * The settings that the stages of an epoch share.
 *
 * @param heldBytesMax bound of the samples' bytes in a stage, except for a single sample
 * @param batchBytesMax bound of the samples' bytes in a batch: the memory budget
 * @param failures decides what happens to values on which a function fails
 */
public record StageSettings(long heldBytesMax, long batchBytesMax, FailurePolicy failures) {
  /** Checks the parts. */
  public StageSettings {
    requireNonNull(failures, "failures is null");
  }
}
