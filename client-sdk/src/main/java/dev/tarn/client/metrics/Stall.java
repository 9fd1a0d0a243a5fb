package dev.tarn.client.metrics;

/** The cause of an epoch's wait. At any moment exactly one applies. */
public enum Stall {
  /** The consumer waits for bytes from the storage. */
  FETCH,
  /**
   * The consumer waits while bytes that have arrived are decompressed, parsed, shuffled and passed
   * to the loader's functions.
   */
  DECODE,
  /** The loader waits for the consumer, between its calls. */
  CONSUMER
}
