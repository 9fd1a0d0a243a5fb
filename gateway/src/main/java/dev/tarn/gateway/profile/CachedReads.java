package dev.tarn.gateway.profile;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.wire.TrafficHistory;
import java.util.List;

/**
 * What the targets read of cached buckets.
 *
 * @param history of all targets that answered
 * @param silentTargets those that did not, with the reason
 */
public record CachedReads(TrafficHistory history, List<String> silentTargets) {
  /** No reads. */
  public static final CachedReads NONE = new CachedReads(TrafficHistory.NONE, List.of());

  public CachedReads {
    requireNonNull(history, "history is null");
    silentTargets = List.copyOf(requireNonNull(silentTargets, "silentTargets is null"));
  }
}
