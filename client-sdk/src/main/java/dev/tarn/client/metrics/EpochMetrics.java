package dev.tarn.client.metrics;

import java.time.Duration;
import java.util.OptionalLong;

/** How an epoch is going, at the moment that each method is called. By any thread, at any time. */
public interface EpochMetrics {
  /** Its number. */
  long epoch();

  /** How many samples this iterator is to read, if that is known: fewer where it was resumed. */
  OptionalLong samplesExpected();

  /** How many samples were read so far: those that the consumer has, and those on their way. */
  long samples();

  /** The bytes of the samples' members. */
  long bytes();

  /** How long one kept another waiting. The three durations together are {@link #elapsed}. */
  Duration stalled(Stall stall);

  /** How long it has been going, or went. */
  Duration elapsed();

  /** The bytes that are fetched or being fetched and that nobody has let go of yet. */
  long queuedBytes();

  /** How many parts of shards are fetched, or being fetched, and were not taken yet. */
  int queuedParts();

  /** Whether it has ended: at its end, by an error, or because it was closed. */
  boolean isEnded();
}
