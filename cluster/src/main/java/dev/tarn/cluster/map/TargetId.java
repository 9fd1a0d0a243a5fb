package dev.tarn.cluster.map;

import static java.util.Objects.requireNonNull;

/**
 * The stable identity of a target node, kept in its data directory.
 *
 * @param value 1 to 64 of a-z, 0-9, '-' and '.'
 */
public record TargetId(String value) implements Comparable<TargetId> {
  public TargetId {
    requireNonNull(value, "value is null");
    if (!value.matches("[a-z0-9.-]{1,64}")) {
      throw new IllegalArgumentException(
          "target id is '" + value + "', must be 1 to 64 of a-z, 0-9, '-' and '.'");
    }
  }

  @Override
  public int compareTo(TargetId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
