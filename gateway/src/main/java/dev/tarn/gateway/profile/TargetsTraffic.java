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
public record TargetsTraffic(TrafficHistory history, List<String> silentTargets) {
  /** No reads. */
  public static final TargetsTraffic NONE = new TargetsTraffic(TrafficHistory.NONE, List.of());

  public TargetsTraffic {
    requireNonNull(history, "history is null");
    silentTargets = List.copyOf(requireNonNull(silentTargets, "silentTargets is null"));
  }
}
