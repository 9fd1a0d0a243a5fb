package dev.tarn.standalone;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.admin.Identities;
import dev.tarn.standalone.config.TarnConfig;
import dev.tarn.standalone.node.DataFolder;
import dev.tarn.standalone.node.KeyPair;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The prerequisites of every role.
 *
 * @param config the configuration
 * @param firstAdmin the key pair of the first admin, if one was given
 * @param data the data folder of this process
 * @param parts the started parts, closed with the process
 * @param metrics the metrics of this process
 * @param identities makes ids and secrets
 * @param clock the current time
 */
record Start(
    TarnConfig config,
    Optional<KeyPair> firstAdmin,
    DataFolder data,
    Parts parts,
    PrometheusMeterRegistry metrics,
    Identities identities,
    InstantSource clock) {
  Start {
    requireNonNull(config, "config is null");
    requireNonNull(firstAdmin, "firstAdmin is null");
    requireNonNull(data, "data is null");
    requireNonNull(parts, "parts is null");
    requireNonNull(metrics, "metrics is null");
    requireNonNull(identities, "identities is null");
    requireNonNull(clock, "clock is null");
  }
}
