package dev.tarn.client.metrics;

import java.time.Duration;
import java.util.OptionalLong;

/**
 * Measures of an epoch at the moment of each call. Any thread may call these methods at any time.
 */
public interface EpochMetrics {
  /** The number of the epoch. */
  long epoch();

  /** How many samples this iterator will read, if known; a resumed epoch has fewer. */
  OptionalLong samplesExpected();

  /** How many samples were read so far, including those that the consumer has not received yet. */
  long samples();

  /** The length of the members of these samples, in bytes. */
  long bytes();

  /** The time that passed in one kind of stall. All three kinds together are {@link #elapsed}. */
  Duration stalled(Stall stall);

  /** The time since the epoch began, until now or until its end. */
  Duration elapsed();

  /** Bytes that are fetched or being fetched, and not yet released. */
  long queuedBytes();

  /** Parts of shards that are fetched or being fetched, and not yet taken by the reader. */
  int queuedParts();

  /** Whether the epoch has ended: at its end, by an error, or by a close. */
  boolean isEnded();
}
