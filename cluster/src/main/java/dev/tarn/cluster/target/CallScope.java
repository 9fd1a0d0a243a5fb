package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;

/**
 * Under what knowledge a call is made; the owner refuses a call whose caller knows less than it
 * must.
 *
 * @param bucket the bucket
 * @param settingsVersion the version of the bucket's settings that the caller acted on
 * @param mapEpoch the epoch of the cluster map by which the caller chose the owner
 */
public record CallScope(BucketId bucket, long settingsVersion, long mapEpoch) {
  public CallScope {
    requireNonNull(bucket, "bucket is null");
  }
}
