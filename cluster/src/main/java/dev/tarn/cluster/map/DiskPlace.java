package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

/** A disk of a target. */
public record DiskPlace(TargetId target, DiskId disk) {
  public DiskPlace {
    requireNonNull(target, "target is null");
    requireNonNull(disk, "disk is null");
  }
}
