package dev.tarn.transport.server;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.wire.TargetReport;
import dev.tarn.cluster.wire.TrafficHistory;
import java.io.IOException;
import java.util.Optional;

/** The administrative operations of a target for gateways. The methods may block. */
public interface TargetAdministration {
  /** The target's report. */
  TargetReport report() throws IOException;

  /** Starts a scrub of the target's disks, unless one is running; returns the target's report. */
  TargetReport scrub() throws IOException;

  /** The reads of cached buckets over the last day, of one bucket or of all. */
  TrafficHistory traffic(Optional<BucketId> bucket);
}
