package dev.tarn.client.metrics;

/**
 * Told of epochs, of several at a time where a dataset has several iterators. What it is given can
 * be asked at any time, also after the epoch.
 *
 * <p>Called by the thread that begins or ends the epoch; what it throws, that thread gets. Where
 * {@link #begun} throws there is no epoch: listeners that were told of it before are told of its
 * end, the one that threw is not.
 */
public interface EpochListener {
  /** An epoch has begun. */
  default void begun(EpochMetrics epoch) {}

  /** An epoch has ended: at its end, by an error, or because it was closed. Called once. */
  default void ended(EpochMetrics epoch) {}
}
