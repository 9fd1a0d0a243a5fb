package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;

/**
 * The settings and the map that a caller acted on. The owner refuses a call if they are outdated.
 *
 * @param bucket the bucket
 * @param settingsVersion the version of the bucket's settings that the caller acted on
 * @param mapEpoch the epoch of the cluster map by which the caller chose the owner
 */
public record CallScope(BucketId bucket, long settingsVersion, long mapEpoch) {
  public CallScope {
    requireNonNull(bucket, "bucket is null");
  }

  /** The same scope under the map of this epoch. */
  public CallScope at(long epoch) {
    return epoch == mapEpoch ? this : new CallScope(bucket, settingsVersion, epoch);
  }
}
