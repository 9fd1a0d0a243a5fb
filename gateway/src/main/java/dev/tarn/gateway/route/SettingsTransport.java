package dev.tarn.gateway.route;

import dev.tarn.cluster.map.TargetAddress;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Carries tables of bucket settings to targets. */
@FunctionalInterface
public interface SettingsTransport {
  /** Sends an encoded table; gives why the target has not taken it, if it has not. */
  CompletionStage<Optional<String>> publish(
      TargetAddress address, long version, byte[] table, String capability);
}
