package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.BucketId;

/**
 * The bucket, the context and the deadline of a call. The owner refuses a call under outdated
 * settings, or if the slot has changed its holder.
 *
 * @param bucket the bucket
 * @param settingsVersion the version of the bucket's settings that the caller acted on
 * @param since the epoch in which the key's slot last changed its holder, by the caller's map; for
 *     requests to all targets, the epoch in which any slot did
 * @param context for whom
 * @param deadline the time by which the call must begin
 * @param answerer which targets may answer
 */
public record CallScope(
    BucketId bucket,
    long settingsVersion,
    long since,
    CallContext context,
    Deadline deadline,
    Answerer answerer) {
  /** The {@link #since} of calls that a target makes to itself: its own map is the caller's. */
  public static final long BY_OWN_MAP = Long.MAX_VALUE;

  public CallScope {
    requireNonNull(bucket, "bucket is null");
    requireNonNull(context, "context is null");
    requireNonNull(deadline, "deadline is null");
    requireNonNull(answerer, "answerer is null");
  }

  /** A scope without a deadline, of a call to the owner. */
  public CallScope(BucketId bucket, long settingsVersion, long since, CallContext context) {
    this(bucket, settingsVersion, since, context, Deadline.NONE, Answerer.OWNER);
  }

  /** The same scope for one call, to begin by this deadline. */
  public CallScope at(long slotSince, Deadline until) {
    return new CallScope(bucket, settingsVersion, slotSince, context, until, answerer);
  }

  /** The same scope for a call that these targets may answer. */
  public CallScope answeredBy(Answerer other) {
    return new CallScope(bucket, settingsVersion, since, context, deadline, other);
  }
}
