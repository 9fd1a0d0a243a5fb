package dev.tarn.client.loader;

/** The treatment of the last values of an epoch if they do not fill a batch. */
public enum LastBatch {
  /** They are left out; a checkpoint counts them as not received. */
  DROP,
  /** The batch is filled with its own values, from the first on. */
  PAD,
  /** They form a smaller batch. */
  KEEP
}
