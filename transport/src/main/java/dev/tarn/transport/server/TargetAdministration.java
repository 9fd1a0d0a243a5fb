package dev.tarn.transport.server;

import dev.tarn.cluster.wire.TargetReport;
import java.io.IOException;

/** What gateways ask of a target beside its objects. The methods may block. */
public interface TargetAdministration {
  /** The target's report. */
  TargetReport report() throws IOException;

  /** Starts a scrub of the target's disks, unless one runs; returns the target's report. */
  TargetReport scrub() throws IOException;
}
