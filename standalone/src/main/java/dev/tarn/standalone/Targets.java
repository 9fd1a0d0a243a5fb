package dev.tarn.standalone;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.route.ReadTickets;
import dev.tarn.gateway.route.Refresh;
import dev.tarn.standalone.node.StartFailure;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.Closeable;
import java.util.List;
import java.util.function.Supplier;

/** The targets that this process reaches: its own one, or those of the cluster. */
sealed interface Targets extends Closeable permits OwnTarget, RemoteTargets {
  /** Who they are; no map yet where the cluster has none. */
  CurrentMap map();

  /** The way to one of them. */
  ObjectTarget target(MapTarget member);

  /** With which clients read from them past this process, where they can. */
  ReadTickets tickets();

  /** What helps where a call met old knowledge. */
  Refresh refresh();

  /** The control plane that they follow too. */
  ControlPlane control();

  /** Their scrubbers, as far as this process starts them. */
  Scrubbing scrubs();

  /** How they fare, for the admin API. */
  List<NodeStatus.Target> status();

  /** The metrics, with the figures of the disks where there are disks. */
  default Supplier<String> scrape(PrometheusMeterRegistry metrics) throws StartFailure {
    return metrics::scrape;
  }
}
