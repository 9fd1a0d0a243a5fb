package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.wire.TargetReport;
import java.util.List;
import java.util.Optional;

/**
 * The state of the cluster as this process sees it.
 *
 * @param role of this process
 * @param mapEpoch of the current cluster map
 * @param targets all of the map
 */
public record NodeStatus(String role, long mapEpoch, List<Target> targets) {
  public NodeStatus {
    requireNonNull(role, "role is null");
    targets = List.copyOf(requireNonNull(targets, "targets is null"));
  }

  /**
   * A target node.
   *
   * @param id stable
   * @param address of its internal port; empty for a target in this process
   * @param state in the map
   * @param disks those that this process has information about
   * @param stored what the target holds, if it has answered
   * @param lastReport what it held when it last answered this process; empty if it never did
   */
  public record Target(
      String id,
      String address,
      String state,
      List<Disk> disks,
      Optional<TargetReport.Stored> stored,
      Optional<LastReport> lastReport) {
    public Target {
      requireNonNull(id, "id is null");
      requireNonNull(address, "address is null");
      requireNonNull(state, "state is null");
      disks = List.copyOf(requireNonNull(disks, "disks is null"));
      requireNonNull(stored, "stored is null");
      requireNonNull(lastReport, "lastReport is null");
    }

    /** A target of this process, which can always be asked. */
    public Target(
        String id,
        String address,
        String state,
        List<Disk> disks,
        Optional<TargetReport.Stored> stored) {
      this(id, address, state, disks, stored, Optional.empty());
    }
  }

  /**
   * What a target held.
   *
   * @param atMs when it said so, in milliseconds since 1970
   */
  public record LastReport(TargetReport.Stored stored, long atMs) {}

  /**
   * A disk.
   *
   * @param id stored on the disk
   * @param folder where it is mounted; empty for a disk of another process
   * @param state in service, or the reason why not
   * @param capacityBytes of its file system
   * @param freeBytes that data may take: without the reserve
   * @param use what takes the rest
   * @param cached the buckets of which its cache has most
   */
  public record Disk(
      String id,
      String folder,
      String state,
      long capacityBytes,
      long freeBytes,
      TargetReport.DiskUse use,
      List<TargetReport.CachedBucket> cached) {
    public Disk {
      requireNonNull(id, "id is null");
      requireNonNull(folder, "folder is null");
      cached = List.copyOf(requireNonNull(cached, "cached is null"));
      requireNonNull(state, "state is null");
    }
  }
}
