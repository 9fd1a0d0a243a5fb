package dev.tarn.targetnode;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;

/**
 * What a target goes by in a bucket.
 *
 * @param settings how the bucket keeps and serves its objects
 * @param versioning whether overwritten and deleted versions stay
 */
public record BucketRules(BucketSettings settings, Versioning versioning) {
  public BucketRules {
    requireNonNull(settings, "settings is null");
    requireNonNull(versioning, "versioning is null");
  }

  static BucketRules of(Bucket bucket) {
    return new BucketRules(bucket.settings(), bucket.configuration().versioning());
  }
}
