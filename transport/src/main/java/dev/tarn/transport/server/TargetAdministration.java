package dev.tarn.transport.server;

import dev.tarn.cluster.wire.TargetReport;
import java.io.IOException;

/** The administrative operations of a target for gateways. The methods may block. */
public interface TargetAdministration {
  /** The target's report. */
  TargetReport report() throws IOException;

  /** Starts a scrub of the target's disks, unless one is running; returns the target's report. */
  TargetReport scrub() throws IOException;
}
