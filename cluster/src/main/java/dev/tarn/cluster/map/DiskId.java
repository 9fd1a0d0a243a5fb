package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

/** The stable identity of a disk, stored on the disk itself. */
public record DiskId(String value) implements Comparable<DiskId> {
  public DiskId {
    requireNonNull(value, "value is null");
    if (!value.matches("[a-z0-9-]{1,64}")) {
      throw new IllegalArgumentException(
          "disk id is '" + value + "', must be 1 to 64 of a-z, 0-9 and '-'");
    }
  }

  @Override
  public int compareTo(DiskId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
