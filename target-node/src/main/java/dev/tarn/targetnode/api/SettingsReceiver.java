package dev.tarn.targetnode.api;

import dev.tarn.cluster.wire.SettingsTable;
import java.io.IOException;
import java.util.Optional;

/** Takes the tables of bucket settings that gateways publish. May block. */
@FunctionalInterface
public interface SettingsReceiver {
  /** For a target that has its settings from elsewhere. */
  SettingsReceiver NONE = table -> Optional.of("this target takes no settings");

  /**
   * Takes a table.
   *
   * @return why it is not taken, if it is not
   * @throws IOException if it cannot be kept
   */
  Optional<String> offer(SettingsTable table) throws IOException;
}
