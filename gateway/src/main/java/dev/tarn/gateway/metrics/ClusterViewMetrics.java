package dev.tarn.gateway.metrics;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.CurrentMap;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The age of the cluster view of this process, so that a stale one stands out. */
public final class ClusterViewMetrics {
  private ClusterViewMetrics() {}

  /** Shows the versions of the control state and of the map. */
  public static void register(MeterRegistry registry, ControlPlane control, CurrentMap map) {
    Gauge.builder("tarn.control.state.version", () -> control.state().version())
        .description("Version of the control plane's state that is known here")
        .register(registry);
    Gauge.builder("tarn.map.epoch", map::epoch)
        .description("Epoch of the cluster map that is known here; 0 before the first")
        .register(registry);
  }
}
