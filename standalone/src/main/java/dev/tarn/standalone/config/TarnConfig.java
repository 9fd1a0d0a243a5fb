package dev.tarn.standalone.config;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.GatewayConfig;
import dev.tarn.gateway.admin.AdminConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The configuration of a process.
 *
 * @param role all, control, gateway or target
 * @param data the folder of the control plane, of this node's identity and, if no disks are given,
 *     of the objects
 * @param disks one folder for each disk; empty for one disk in the data folder
 * @param readyFile a further file for the ready line; empty for none
 * @param gateway the S3 listener
 * @param admin the admin listener
 * @param control the listener of the control plane
 * @param target the threads, buffers and rates of the target node
 * @param cluster the settings of a member of a cluster
 */
public record TarnConfig(
    Role role,
    Path data,
    List<Path> disks,
    Optional<Path> readyFile,
    GatewayConfig gateway,
    AdminConfig admin,
    ControlConfig control,
    TargetConfig target,
    ClusterConfig cluster) {
  public TarnConfig {
    requireNonNull(role, "role is null");
    requireNonNull(data, "data is null");
    disks =
        requireNonNull(disks, "disks is null").stream()
            .map(disk -> disk.toAbsolutePath().normalize())
            .toList();
    for (int i = 0; i < disks.size(); i++) {
      if (disks.indexOf(disks.get(i)) < i) {
        throw new IllegalArgumentException(
            "disks names " + disks.get(i) + " twice; give each disk a folder of its own");
      }
    }
    requireNonNull(readyFile, "readyFile is null");
    requireNonNull(gateway, "gateway is null");
    requireNonNull(admin, "admin is null");
    requireNonNull(control, "control is null");
    requireNonNull(target, "target is null");
    requireNonNull(cluster, "cluster is null");
    if (role.isMember() && cluster.control().isEmpty()) {
      throw new IllegalArgumentException(
          "cluster.control is not set; the role "
              + role.title()
              + " needs the URL of the control plane, such as http://127.0.0.1:9400");
    }
    if (!role.isTarget() && !disks.isEmpty()) {
      throw new IllegalArgumentException(
          "disks are given, but the role " + role.title() + " keeps no objects");
    }
  }

  /** The defaults: all roles in one process on loopback, with its data in this folder. */
  public static TarnConfig defaults(Path data) {
    return new TarnConfig(
        Role.ALL,
        data,
        List.of(),
        Optional.empty(),
        GatewayConfig.DEFAULT,
        AdminConfig.DEFAULT,
        ControlConfig.DEFAULT,
        TargetConfig.DEFAULT,
        ClusterConfig.DEFAULT);
  }
}
