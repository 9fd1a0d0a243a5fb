package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How this process belongs to its cluster. In one process none of it is needed.
 *
 * @param secretId names the secret, so that it can be replaced
 * @param secretFile the file that holds the secret, at least 32 bytes, the same on every node; not
 *     readable by others
 * @param control where the control plane is, http or https; the roles gateway and target need it
 * @param controlCa a PEM file with the certificates to trust for the control plane's https; the
 *     JVM's own where it is empty
 * @param advertise HOST:PORT under which gateways reach this target; its listener where it is empty
 * @param targetId the id of this target at its first start, whose data folder is that target's from
 *     then on; one is made where it is empty
 * @param directReads whether this gateway sends clients that ask for it, as the Java client SDK
 *     does, to the targets for reads; the targets' listeners must then be reached by the clients,
 *     who go on through the gateway where they are not
 */
public record ClusterConfig(
    String secretId,
    Optional<Path> secretFile,
    Optional<URI> control,
    Optional<Path> controlCa,
    Optional<String> advertise,
    Optional<String> targetId,
    boolean directReads) {
  /** No cluster: one process alone. */
  public static final ClusterConfig DEFAULT =
      new ClusterConfig(
          "1",
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          true);

  public ClusterConfig {
    if (!requireNonNull(secretId, "secretId is null").matches("[a-zA-Z0-9-]{1,32}")) {
      throw new IllegalArgumentException(
          "secret-id is '" + secretId + "', must be 1 to 32 of a-z, A-Z, 0-9 and '-'");
    }
    requireNonNull(secretFile, "secretFile is null");
    requireNonNull(control, "control is null").ifPresent(ClusterConfig::checkControl);
    requireNonNull(controlCa, "controlCa is null");
    requireNonNull(advertise, "advertise is null").ifPresent(TargetAddress::parse);
    requireNonNull(targetId, "targetId is null").ifPresent(TargetId::new);
  }

  private static void checkControl(URI control) {
    boolean http = "http".equals(control.getScheme()) || "https".equals(control.getScheme());
    if (!http || control.getHost() == null || control.getRawPath().length() > 1) {
      throw new IllegalArgumentException(
          "control is '" + control + "', must be a URL such as http://127.0.0.1:9400");
    }
  }
}
