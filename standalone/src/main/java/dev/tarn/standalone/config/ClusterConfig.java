package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The members of the cluster and the secret they share. In one process none of it is needed.
 *
 * @param epoch of the map; raise it with every change of the targets
 * @param secretId names the secret, so that it can be replaced
 * @param secretFile the file that holds the secret, at least 32 bytes, the same on every node;
 *     readable by its owner alone
 * @param control where the control plane is, http or https; the roles gateway and target need it
 * @param controlCa a PEM file with the certificates to trust for the control plane's https; the
 *     JVM's own where it is empty
 * @param advertise HOST:PORT under which gateways reach this target; its listener where it is empty
 * @param targetId which of the targets this process is; needed at the first start of the role
 *     target, whose data folder is that target's from then on
 * @param targets the target nodes
 */
public record ClusterConfig(
    long epoch,
    String secretId,
    Optional<Path> secretFile,
    Optional<URI> control,
    Optional<Path> controlCa,
    Optional<String> advertise,
    Optional<String> targetId,
    List<Target> targets) {
  /** No cluster: one process alone. */
  public static final ClusterConfig DEFAULT =
      new ClusterConfig(
          1,
          "1",
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of());

  public ClusterConfig {
    if (epoch < 1) {
      throw new IllegalArgumentException("epoch is " + epoch + ", must be at least 1");
    }
    if (!requireNonNull(secretId, "secretId is null").matches("[a-zA-Z0-9-]{1,32}")) {
      throw new IllegalArgumentException(
          "secret-id is '" + secretId + "', must be 1 to 32 of a-z, A-Z, 0-9 and '-'");
    }
    requireNonNull(secretFile, "secretFile is null");
    requireNonNull(control, "control is null").ifPresent(ClusterConfig::checkControl);
    requireNonNull(controlCa, "controlCa is null");
    requireNonNull(advertise, "advertise is null").ifPresent(TargetAddress::parse);
    requireNonNull(targetId, "targetId is null").ifPresent(TargetId::new);
    targets = List.copyOf(requireNonNull(targets, "targets is null"));
  }

  private static void checkControl(URI control) {
    boolean http = "http".equals(control.getScheme()) || "https".equals(control.getScheme());
    if (!http || control.getHost() == null || control.getRawPath().length() > 1) {
      throw new IllegalArgumentException(
          "control is '" + control + "', must be a URL such as http://127.0.0.1:9400");
    }
  }

  /** The map of these targets. */
  public ClusterMap map() {
    return new ClusterMap(epoch, targets.stream().map(Target::inMap).toList(), Optional.empty());
  }

  /**
   * A target node.
   *
   * @param id its own target-id
   * @param address HOST:PORT of its internal listener
   * @param weight its share of all objects, in proportion to the others'; usually GiB
   * @param disks the ids of its disks; may be left out, as the target knows them
   */
  public record Target(String id, String address, long weight, List<String> disks) {
    public Target {
      requireNonNull(id, "id is null");
      requireNonNull(address, "address is null");
      disks = List.copyOf(requireNonNull(disks, "disks is null"));
      toMap(id, address, weight, disks);
    }

    private MapTarget inMap() {
      return toMap(id, address, weight, disks);
    }

    private static MapTarget toMap(String id, String address, long weight, List<String> disks) {
      return new MapTarget(
          new TargetId(id),
          List.of(TargetAddress.parse(address)),
          MemberState.IN_SERVICE,
          weight,
          disks.stream()
              .map(disk -> new MapDisk(new DiskId(disk), MemberState.IN_SERVICE, 1))
              .toList());
    }
  }
}
