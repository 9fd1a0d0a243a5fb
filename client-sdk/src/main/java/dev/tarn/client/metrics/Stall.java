package dev.tarn.client.metrics;

/** Who keeps whom waiting. At any moment of an epoch exactly one of them passes. */
public enum Stall {
  /** The consumer waits for bytes from where the shards are. */
  FETCH,
  /**
   * The consumer waits for samples to be made of bytes that are there: decompressed, parsed,
   * shuffled, and given to the loader's functions.
   */
  DECODE,
  /** The loader waits for the consumer: the time between its calls. */
  CONSUMER
}
