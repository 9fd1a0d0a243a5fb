package dev.tarn.cluster.object;

/**
 * The immutable identity of a bucket. Log, index, placement and capabilities use it, never the
 * bucket's name.
 *
 * @param value positive; assigned once by the control plane and never used again
 */
public record BucketId(long value) implements Comparable<BucketId> {
  public BucketId {
    if (value <= 0) {
      throw new IllegalArgumentException("bucket id is " + value + ", must be positive");
    }
  }

  @Override
  public int compareTo(BucketId other) {
    return Long.compare(value, other.value);
  }

  @Override
  public String toString() {
    return "b" + value;
  }
}
