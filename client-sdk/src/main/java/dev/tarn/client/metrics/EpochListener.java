package dev.tarn.client.metrics;

import dev.tarn.client.origin.OriginListener;

/**
 * Is notified when epochs begin and end. Several epochs may run at once if a dataset has several
 * iterators. The metrics can be read at any time, also after the epoch.
 *
 * <p>The thread that begins or ends the epoch calls the listener and receives its exceptions. If
 * {@link #begun} throws, the epoch does not start: listeners that were notified before are notified
 * of its end, the one that threw is not.
 *
 * <p>It is also notified when reads of the dataset go to its origin, see {@link OriginListener}.
 */
public interface EpochListener extends OriginListener {
  /** An epoch has begun. */
  default void begun(EpochMetrics epoch) {}

  /** An epoch has ended: at its end, by an error, or by a close. Called once. */
  default void ended(EpochMetrics epoch) {}
}
