package dev.tarn.client.internal.stage;

import static java.util.Objects.requireNonNull;

/**
 * What the stages of an epoch share.
 *
 * @param heldBytesMax bound of the bytes that samples hold in a stage, but for one sample
 * @param batchBytesMax bound of the bytes that the samples of a batch hold: the memory budget
 * @param failures what becomes of values that a function fails on
 */
public record StageSettings(long heldBytesMax, long batchBytesMax, FailurePolicy failures) {
  /** Checks the parts. */
  public StageSettings {
    requireNonNull(failures, "failures is null");
  }
}
