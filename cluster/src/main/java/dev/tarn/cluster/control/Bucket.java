package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import java.util.Optional;

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
 * @param deletion the attempt to delete the bucket that is in progress; empty for none
 */
public record Bucket(
    BucketId id,
    String name,
    String ownerId,
    long createdMs,
    long settingsVersion,
    BucketSettings settings,
    BucketConfiguration configuration,
    Optional<Deletion> deletion) {
  public Bucket {
    requireNonNull(id, "id is null");
    requireNonNull(name, "name is null");
    requireNonNull(ownerId, "ownerId is null");
    requireNonNull(settings, "settings is null");
    requireNonNull(configuration, "configuration is null");
    requireNonNull(deletion, "deletion is null");
  }

  /** A bucket that is not being deleted. */
  public Bucket(
      BucketId id,
      String name,
      String ownerId,
      long createdMs,
      long settingsVersion,
      BucketSettings settings,
      BucketConfiguration configuration) {
    this(id, name, ownerId, createdMs, settingsVersion, settings, configuration, Optional.empty());
  }

  /**
   * An attempt to delete a bucket. Targets refuse changes of the bucket's content meanwhile.
   *
   * @param version the state version that began it, which identifies it
   * @param begunMs by the clock of the gateway that began it, in milliseconds since 1970
   */
  public record Deletion(long version, long begunMs) {}

  /** Whether the bucket caches the objects of another S3. */
  public boolean isCached() {
    return settings.backend().isPresent();
  }

  /** Which keys of its slot a key of this bucket belongs to. */
  public Slot.Keys keysOf(ObjectKey key) {
    if (!isCached()) {
      return Slot.Keys.PRIMARY;
    }
    boolean isAsked =
        settings.freshness(key).mode() == Freshness.Mode.REVALIDATE
            || settings.cacheRules().mode(key) == CacheRule.Mode.BYPASS;
    return isAsked ? Slot.Keys.REVALIDATED : Slot.Keys.CACHED;
  }

  /** The bucket with other settings. */
  Bucket with(BucketSettings changed, long version) {
    return new Bucket(id, name, ownerId, createdMs, version, changed, configuration, deletion);
  }

  /** The bucket with another configuration. */
  Bucket with(BucketConfiguration changed, long version) {
    return new Bucket(id, name, ownerId, createdMs, version, settings, changed, deletion);
  }

  /** The bucket with another attempt to delete it, or with none. */
  Bucket with(Optional<Deletion> changed, long version) {
    return new Bucket(id, name, ownerId, createdMs, version, settings, configuration, changed);
  }
}
