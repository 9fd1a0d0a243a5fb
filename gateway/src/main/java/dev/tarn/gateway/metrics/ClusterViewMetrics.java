package dev.tarn.gateway.metrics;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.CurrentMap;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

/** The age of this process's cluster view. The metrics make a stale view visible. */
public final class ClusterViewMetrics {
  private ClusterViewMetrics() {}

  /** Registers the versions of the control state and of the map. */
  public static void register(MeterRegistry registry, ControlPlane control, CurrentMap map) {
    Gauge.builder("tarn.control.state.version", () -> control.state().version())
        .description("Version of the control plane's state that is known here")
        .register(registry);
    Gauge.builder("tarn.map.epoch", map::epoch)
        .description("Epoch of the cluster map that is known here; 0 before the first")
        .register(registry);
  }
}
