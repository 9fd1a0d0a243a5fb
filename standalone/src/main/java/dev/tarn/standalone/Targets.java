package dev.tarn.standalone;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.gateway.admin.NodeStatus;
import dev.tarn.gateway.admin.Scrubbing;
import dev.tarn.gateway.profile.TargetsTraffic;
import dev.tarn.gateway.route.ReadTickets;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.Closeable;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The targets that this process reaches: its own target, or the targets of the cluster. */
sealed interface Targets extends Closeable permits OwnTarget, RemoteTargets {
  /** The current map; holds none before the cluster has a map. */
  CurrentMap map();

  /** The target to call for this entry of the map. */
  ObjectTarget target(MapTarget member);

  /**
   * Issues the tickets with which clients read directly from targets; {@link ReadTickets#NONE} if
   * direct reads are off.
   */
  ReadTickets tickets();

  /** The control plane of this process; the targets follow the same one. */
  ControlPlane control();

  /** Starts and reports the scrubs of these targets. */
  Scrubbing scrubs();

  /** The status of each target, for the admin API. */
  List<NodeStatus.Target> status();

  /** The reads of cached buckets on all targets over the last day, of one bucket or of all. */
  TargetsTraffic traffic(Optional<BucketId> bucket);

  /** The metrics as text, with the figures of the disks or of the calls to other processes. */
  Supplier<String> scrape(PrometheusMeterRegistry metrics);
}
