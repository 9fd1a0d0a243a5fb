package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;

/**
 * A bucket of the control plane.
 *
 * @param id never changes and is never used again
 * @param name by S3's rules; unique among existing buckets
 * @param ownerId the id of the user who owns it
 * @param createdMs in milliseconds since 1970
 * @param settingsVersion the state version at which settings or configuration last changed
 * @param settings how it keeps and serves its objects; set by administrators
 * @param configuration set by its owner through S3
 */
public record Bucket(
    BucketId id,
    String name,
    String ownerId,
    long createdMs,
    long settingsVersion,
    BucketSettings settings,
    BucketConfiguration configuration) {
  public Bucket {
    requireNonNull(id, "id is null");
    requireNonNull(name, "name is null");
    requireNonNull(ownerId, "ownerId is null");
    requireNonNull(settings, "settings is null");
    requireNonNull(configuration, "configuration is null");
  }

  /** The bucket with other settings. */
  Bucket with(BucketSettings changed, long version) {
    return new Bucket(id, name, ownerId, createdMs, version, changed, configuration);
  }

  /** The bucket with another configuration. */
  Bucket with(BucketConfiguration changed, long version) {
    return new Bucket(id, name, ownerId, createdMs, version, settings, changed);
  }
}
