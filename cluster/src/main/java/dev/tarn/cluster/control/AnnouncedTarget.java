package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A target's announcement of itself. The target becomes a member of the cluster only when an
 * administrator adds it to the map.
 *
 * @param id of the target
 * @param addresses of its internal port, the preferred one first; 1 to {@link #ADDRESSES_MAX}
 * @param disks 1 to {@link #DISKS_MAX}, each once; kept in the order of their ids
 * @param tls whether the internal port takes calls over mutual TLS only
 * @param readAddress the port for direct reads, which shows a certificate and demands none; only
 *     with {@code tls}; if empty, direct reads go to {@code addresses}
 */
public record AnnouncedTarget(
    TargetId id,
    List<TargetAddress> addresses,
    List<Disk> disks,
    boolean tls,
    Optional<TargetAddress> readAddress) {
  /** The greatest number of addresses. */
  public static final int ADDRESSES_MAX = 16;

  /** The greatest number of disks. */
  public static final int DISKS_MAX = 256;

  private static final int GIB_SHIFT = 30;

  public AnnouncedTarget {
    requireNonNull(id, "id is null");
    addresses = List.copyOf(requireNonNull(addresses, "addresses is null"));
    checkCount(id, "addresses", addresses.size(), ADDRESSES_MAX);
    disks =
        requireNonNull(disks, "disks is null").stream()
            .sorted(Comparator.comparing(Disk::id))
            .toList();
    checkCount(id, "disks", disks.size(), DISKS_MAX);
    if (!tls && requireNonNull(readAddress, "readAddress is null").isPresent()) {
      throw new IllegalArgumentException(
          "target " + id + " announces a port for direct reads, must announce TLS as well");
    }
    Set<DiskId> ids = new HashSet<>();
    for (Disk disk : disks) {
      if (!ids.add(disk.id())) {
        throw new IllegalArgumentException(
            "target " + id + " announces disk " + disk.id() + " twice");
      }
    }
  }

  /** A target that takes calls in the clear. */
  public AnnouncedTarget(TargetId id, List<TargetAddress> addresses, List<Disk> disks) {
    this(id, addresses, disks, false, Optional.empty());
  }

  private static void checkCount(TargetId id, String what, int count, int max) {
    if (count < 1 || count > max) {
      throw new IllegalArgumentException(
          "target " + id + " announces " + count + " " + what + ", must be 1 to " + max);
    }
  }

  /**
   * A disk of the target.
   *
   * @param id stored on the disk
   * @param capacityBytes of its file system; 0 if the disk cannot be read
   */
  public record Disk(DiskId id, long capacityBytes) {
    public Disk {
      requireNonNull(id, "id is null");
      if (capacityBytes < 0) {
        throw new IllegalArgumentException(
            "capacity of disk " + id + " is " + capacityBytes + " bytes, must not be negative");
      }
    }

    /** The capacity in GiB, rounded, at least 1. */
    long weight() {
      long gib = (capacityBytes + (1L << (GIB_SHIFT - 1))) >> GIB_SHIFT;
      return Math.min(MapTarget.WEIGHT_MAX / DISKS_MAX, Math.max(1, gib));
    }
  }

  public Set<DiskId> diskIds() {
    return disks.stream().map(Disk::id).collect(Collectors.toUnmodifiableSet());
  }

  /** This target as a member of the map: in service, weighted by the capacity of its disks. */
  public MapTarget inMap() {
    List<MapDisk> mapDisks =
        disks.stream()
            .map(disk -> new MapDisk(disk.id(), MemberState.IN_SERVICE, disk.weight()))
            .toList();
    long weight = mapDisks.stream().mapToLong(MapDisk::weight).sum();
    return new MapTarget(id, addresses, MemberState.IN_SERVICE, weight, mapDisks);
  }
}
