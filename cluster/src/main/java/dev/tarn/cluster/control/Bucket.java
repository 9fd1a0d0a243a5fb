package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;

/**
 * A bucket as the control plane knows it.
 *
 * @param id never changes and is never used again
 * @param name by S3's rules; unique among the buckets there are
 * @param ownerId the id of the user who owns it
 * @param createdMs in milliseconds since 1970
 * @param settingsVersion the state version at which the settings last changed
 * @param settings how it keeps and serves its objects
 */
public record Bucket(
    BucketId id,
    String name,
    String ownerId,
    long createdMs,
    long settingsVersion,
    BucketSettings settings) {
  public Bucket {
    requireNonNull(id, "id is null");
    requireNonNull(name, "name is null");
    requireNonNull(ownerId, "ownerId is null");
    requireNonNull(settings, "settings is null");
  }
}
