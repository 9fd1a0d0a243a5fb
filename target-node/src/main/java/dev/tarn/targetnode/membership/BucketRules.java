package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;

/**
 * The rules for calls in a bucket.
 *
 * @param settings how the bucket keeps and serves its objects
 * @param versioning whether overwritten and deleted versions stay
 * @param settingsVersion the version of the control plane's state that last changed the bucket
 */
public record BucketRules(BucketSettings settings, Versioning versioning, long settingsVersion) {
  public BucketRules {
    requireNonNull(settings, "settings is null");
    requireNonNull(versioning, "versioning is null");
  }

  static BucketRules of(Bucket bucket) {
    return new BucketRules(
        bucket.settings(), bucket.configuration().versioning(), bucket.settingsVersion());
  }
}
