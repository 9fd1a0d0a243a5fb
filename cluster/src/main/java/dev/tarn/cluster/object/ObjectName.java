package dev.tarn.cluster.object;

import static java.util.Objects.requireNonNull;

/**
 * Identifies an object in the whole cluster: its bucket's id and its key.
 *
 * @param bucket the bucket's immutable id
 * @param key the key within the bucket
 */
public record ObjectName(BucketId bucket, ObjectKey key) {
  public ObjectName {
    requireNonNull(bucket, "bucket is null");
    requireNonNull(key, "key is null");
  }

  @Override
  public String toString() {
    return bucket + "/" + key;
  }
}
