package dev.tarn.client;

/** What becomes of samples that do not go into equal parts for all ranks. */
public enum Uneven {
  /** The last ones of the epoch, fewer than there are ranks, are left out. */
  DROP,
  /**
   * The first ones of the epoch come again at the end of the last rank's, or last ranks', parts.
   */
  PAD
}
