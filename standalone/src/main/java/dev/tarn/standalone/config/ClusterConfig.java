package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of a member of a cluster. A process of the role {@code all} needs none of them.
 *
 * @param secretId the name of the secret; a replacement gets another name
 * @param secretFile the file that holds the secret, at least 32 bytes, the same on every node; not
 *     readable by others
 * @param control the URL of the control plane, http or https; required for gateways and targets
 * @param controlCa a PEM file with the certificates to trust for the control plane's https; empty
 *     for the JVM's own
 * @param advertise HOST:PORT at which gateways reach this target; empty for its listener's address
 * @param targetId the id of this target; the first start fixes it for the data folder; empty for a
 *     generated id
 * @param directReads whether this gateway lets clients that request it, such as the Java client
 *     SDK, read directly from targets; a client that cannot reach a target's listener reads through
 *     the gateway
 * @param tls whether this target takes calls of members over TLS only, and direct reads over https
 *     at {@code direct-read-port}; gateways follow what each target announces
 * @param tlsFiles the certificate that this member shows to others, instead of one that it derives
 *     from the cluster secret; then every member of the cluster needs such files
 * @param directReadPort the port for direct reads of a target with {@code tls}, at the host of its
 *     listener; clients reach it at the host that the target advertises; 0 picks a free one
 */
public record ClusterConfig(
    String secretId,
    Optional<Path> secretFile,
    Optional<URI> control,
    Optional<Path> controlCa,
    Optional<String> advertise,
    Optional<String> targetId,
    boolean directReads,
    boolean tls,
    Optional<MemberTlsFiles> tlsFiles,
    int directReadPort) {
  private static final int PORT_MAX = 65_535;

  /** The settings of a process without a cluster. */
  public static final ClusterConfig DEFAULT =
      new ClusterConfig(
          "1",
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          true,
          false,
          Optional.empty(),
          0);

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
    requireNonNull(tlsFiles, "tlsFiles is null");
    if (directReadPort < 0 || directReadPort > PORT_MAX) {
      throw new IllegalArgumentException(
          "direct-read-port is " + directReadPort + ", must be 0 to " + PORT_MAX);
    }
  }

  /**
   * The certificate of a member and the authorities that it trusts. Changed files are read within a
   * minute.
   *
   * @param certificateChain a PEM file, the member's certificate first; for a target it names the
   *     host of {@code cluster.advertise}
   * @param privateKey a PEM file with an EC or RSA key, not encrypted, not readable by others
   * @param authorities a PEM file with the authorities that signed the certificates of all members
   */
  public record MemberTlsFiles(Path certificateChain, Path privateKey, Path authorities) {
    public MemberTlsFiles {
      requireNonNull(certificateChain, "certificateChain is null");
      requireNonNull(privateKey, "privateKey is null");
      requireNonNull(authorities, "authorities is null");
    }
  }

  private static void checkControl(URI control) {
    boolean http = "http".equals(control.getScheme()) || "https".equals(control.getScheme());
    if (!http || control.getHost() == null || control.getRawPath().length() > 1) {
      throw new IllegalArgumentException(
          "control is '" + control + "', must be a URL such as http://127.0.0.1:9400");
    }
  }
}
