package dev.tarn.targetnode.api;

import dev.tarn.cluster.wire.TargetReport;
import java.io.IOException;

/** What gateways may ask a target beside its objects. May block. */
public interface TargetAdministration {
  /** How it fares. */
  TargetReport report() throws IOException;

  /** Starts to scrub its disks, unless it does so already, and says how it fares. */
  TargetReport scrub() throws IOException;
}
