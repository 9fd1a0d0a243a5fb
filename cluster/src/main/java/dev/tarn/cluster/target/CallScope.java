package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;

/**
 * The bucket, the context and the deadline of a call. The owner refuses a call under outdated
 * settings or an outdated map.
 *
 * @param bucket the bucket
 * @param settingsVersion the version of the bucket's settings that the caller acted on
 * @param mapEpoch the epoch of the cluster map by which the caller chose the owner
 * @param context for whom
 * @param deadline the time by which the call must begin
 * @param answerer which targets may answer
 */
public record CallScope(
    BucketId bucket,
    long settingsVersion,
    long mapEpoch,
    CallContext context,
    Deadline deadline,
    Answerer answerer) {
  public CallScope {
    requireNonNull(bucket, "bucket is null");
    requireNonNull(context, "context is null");
    requireNonNull(deadline, "deadline is null");
    requireNonNull(answerer, "answerer is null");
  }

  /** A scope without a deadline, of a call to the owner. */
  public CallScope(BucketId bucket, long settingsVersion, long mapEpoch, CallContext context) {
    this(bucket, settingsVersion, mapEpoch, context, Deadline.NONE, Answerer.OWNER);
  }

  /** The same scope for one call: under the map of this epoch, to begin by this deadline. */
  public CallScope at(long epoch, Deadline until) {
    return new CallScope(bucket, settingsVersion, epoch, context, until, answerer);
  }

  /** The same scope for a call that these targets may answer. */
  public CallScope answeredBy(Answerer other) {
    return new CallScope(bucket, settingsVersion, mapEpoch, context, deadline, other);
  }
}
