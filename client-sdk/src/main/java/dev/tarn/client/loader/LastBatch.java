package dev.tarn.client.loader;

/** What becomes of the last values of an epoch, if they are too few for a batch. */
public enum LastBatch {
  /** They are left out; a checkpoint counts them as not received. */
  DROP,
  /** They come again, from the first on, until the batch is full. */
  PAD,
  /** They are a smaller batch. */
  KEEP
}
