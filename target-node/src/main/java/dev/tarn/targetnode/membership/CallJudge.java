package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a call is carried out, and on which bucket. A call is judged once, when it
 * arrives. For a call from another process, the server has verified the capability before.
 *
 * <ol>
 *   <li>If a request of another process names a newer change of the slot, newer settings or an
 *       unknown bucket, this target is stale. If this target does not serve, the map of the caller
 *       may be newer. In both cases it first refreshes its view from the control plane, then
 *       decides.
 *   <li>A request fails with {@link Failure.StaleMap} if the slot of its key has changed since the
 *       caller's map. Other changes of the map do not concern it.
 *   <li>A target that the map does not list with its disks refuses every request.
 *   <li>The bucket's settings must be known, and be at least as new as the caller's.
 *   <li>The key must be this target's, and must not be on its way to another one.
 * </ol>
 *
 * <p>The same holds for the source of a copy.
 */
public final class CallJudge {
  private static final long REFRESH_SECONDS_MAX = 10;

  /** Without a map, all slots belong to this target. */
  private static final long ALWAYS = 1;

  private static final Failure BEING_DELETED =
      new Failure.Unavailable("Change was refused: the bucket is being deleted; retry later.");

  private static final Failure BEING_GIVEN =
      new Failure.Unavailable("The key is moving to another target; retry.");

  private final ClusterView view;
  private final SlotGate gate = new SlotGate();
  private final AtomicIntegerArray states = gate.states();

  public CallJudge(ClusterView view) {
    this.view = requireNonNull(view, "view is null");
  }

  /** The gate through which all calls to primary data pass. */
  public SlotGate gate() {
    return gate;
  }

  /** The view by which calls are judged. */
  public ClusterView view() {
    return view;
  }

  /**
   * The bucket of a call from another process, or why the caller must repeat the call. The stage
   * usually completes immediately. If this target is stale, the stage completes after a refresh. It
   * never fails.
   */
  public CompletionStage<Outcome<Bucket>> admit(TargetRequest<?> request) {
    return isStale(request) || view.refusal().isPresent()
        ? decideRefreshed(request)
        : completedFuture(decide(request));
  }

  /**
   * As {@link #admit}, for a read by a client with a ticket. It is also refused if the settings of
   * the bucket have changed since the ticket was issued.
   */
  public CompletionStage<Outcome<Bucket>> admitTicket(TargetRequest.Get read) {
    return admit(read)
        .thenApply(judged ->
            judged.then(bucket ->
                bucket.settingsVersion() > read.scope().settingsVersion()
                    ? Outcome.failed(
                        new Failure.Unavailable(
                            "Ticket is outdated: the settings of the bucket have changed since it"
                                + " was issued; use the gateway."))
                    : Outcome.success(bucket)));
  }

  /** Whether the request names a slot, a bucket or settings that this target does not know yet. */
  private boolean isStale(TargetRequest<?> request) {
    return isStale(request.scope(), key(request))
        || (request instanceof TargetRequest.Copying<?> copy
            && isStale(copy.source().scope(), copy.source().key()));
  }

  private boolean isStale(CallScope scope, @Nullable ObjectKey key) {
    Bucket bucket = view.bucket(scope.bucket());
    return bucket == null
        || view.settingsVersion() < scope.settingsVersion()
        || scope.since() > since(bucket, key);
  }

  private static @Nullable ObjectKey key(TargetRequest<?> request) {
    return request instanceof TargetRequest.OfKey<?> ofKey ? ofKey.key() : null;
  }

  /**
   * The epoch in which the slot of a key last changed its holder.
   *
   * @param key null for a request to all targets, which any such change concerns
   */
  private long since(Bucket bucket, @Nullable ObjectKey key) {
    SlotTable slots = view.slots();
    if (slots == null) {
      return view.mapEpoch();
    }
    if (key == null) {
      return bucket.isCached() ? slots.ownersSince() : slots.homesSince();
    }
    return slots.of(bucket.id(), key).holder(bucket.keysOf(key)).since();
  }

  /**
   * The bucket of a call, by what this target knows now, or why the caller must repeat the call.
   */
  public Outcome<Bucket> decide(TargetRequest<?> request) {
    Outcome<Bucket> bucket = bucketOf(request.scope(), key(request));
    return request instanceof TargetRequest.Copying<?> copy
        ? bucket.then(
            into -> bucketOf(copy.source().scope(), copy.source().key()).map(source -> into))
        : bucket;
  }

  private Outcome<Bucket> bucketOf(CallScope scope, @Nullable ObjectKey key) {
    long version = view.settingsVersion();
    Bucket bucket = view.bucket(scope.bucket());
    if (bucket != null && scope.since() < since(bucket, key)) {
      return Outcome.failed(new Failure.StaleMap(view.mapEpoch()));
    }
    Optional<Failure> refusal = view.refusal();
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    if (bucket == null || version < scope.settingsVersion()) {
      return Outcome.failed(new Failure.UnknownSettings(version));
    }
    return refusedByMap(scope, bucket, key)
        .<Outcome<Bucket>>map(Outcome::failed)
        .orElse(Outcome.success(bucket));
  }

  /** Why the map does not let this target carry out a call; empty if it does. */
  private Optional<Failure> refusedByMap(CallScope scope, Bucket bucket, @Nullable ObjectKey key) {
    if (scope.since() < since(bucket, key)) {
      return Optional.of(new Failure.StaleMap(view.mapEpoch()));
    }
    SlotTable slots = view.slots();
    if (slots == null || key == null || scope.answerer() == Answerer.STAND_IN) {
      return Optional.empty();
    }
    if (!bucket.isCached() && states.get(Slot.of(bucket.id(), key)) == SlotGate.CLOSED) {
      return Optional.of(BEING_GIVEN);
    }
    SlotHolder holder = slots.of(bucket.id(), key).holder(bucket.keysOf(key));
    return view.isOwn(holder)
        ? Optional.empty()
        : Optional.of(
            new Failure.Unavailable(
                "Call came to the wrong target: the key belongs to target "
                    + holder.target()
                    + ". Do two targets announce the same address?"));
  }

  /** Refreshes the view, for a bounded time, then decides. */
  private CompletionStage<Outcome<Bucket>> decideRefreshed(TargetRequest<?> request) {
    CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
    view.refresh()
        .whenComplete((upToDate, failure) -> refreshed.complete(failure == null && upToDate));
    return refreshed
        .completeOnTimeout(false, REFRESH_SECONDS_MAX, TimeUnit.SECONDS)
        .thenApply(upToDate -> decide(request, upToDate));
  }

  private Outcome<Bucket> decide(TargetRequest<?> request, boolean upToDate) {
    Bucket bucket = view.bucket(request.scope().bucket());
    if (bucket != null && request.scope().since() > since(bucket, key(request))) {
      return Outcome.failed(
          new Failure.Unavailable(
              "The request was made under a newer cluster map, in which the key moved in epoch "
                  + request.scope().since()
                  + "; the target knows epoch "
                  + view.mapEpoch()
                  + (upToDate ? ", which is the newest." : " and cannot ask for it now.")));
    }
    if (!upToDate && isStale(request)) {
      return Outcome.failed(
          new Failure.Unavailable(
              "Settings of the bucket are unknown to this target, which cannot reach the control"
                  + " plane; retry later."));
    }
    return decide(request);
  }

  /**
   * The epoch since which this target has had the slot of a key of a bucket with a backend, without
   * a break; 0 if it does not have the slot.
   */
  public long ownedSince(ObjectName name) {
    SlotTable slots = view.slots();
    if (slots == null) {
      return ALWAYS;
    }
    Slot slot = slots.of(name.bucket(), name.key());
    Bucket bucket = view.bucket(name.bucket());
    Slot.Keys keys = bucket == null ? Slot.Keys.CACHED : bucket.keysOf(name.key());
    return view.isOwn(slot.holder(keys)) ? slot.cachedSince() : 0;
  }

  /**
   * Why the change of a key must not be committed; empty if it may. The slot of the key may have
   * changed since the call was admitted.
   */
  public Optional<Failure> refusalAtCommit(TargetRequest.OfKey<?> change) {
    Bucket bucket = view.bucket(change.scope().bucket());
    if (bucket == null) {
      return Optional.of(new Failure.UnknownSettings(view.settingsVersion()));
    }
    if (!bucket.isCached() && !gate.pass(Slot.of(bucket.id(), change.key()))) {
      return Optional.of(BEING_GIVEN);
    }
    return view.refusal().or(() -> refusedByMap(change.scope(), bucket, change.key()));
  }

  /**
   * The present configuration of a bucket whose content is to be changed. Bucket and configuration
   * may have changed since the call was admitted. Fails while the bucket is being deleted.
   */
  public Outcome<BucketConfiguration> configuration(BucketId id) {
    Bucket bucket = view.bucket(id);
    if (bucket == null) {
      return Outcome.failed(new Failure.UnknownSettings(view.settingsVersion()));
    }
    return bucket.deletion().isPresent()
        ? Outcome.failed(BEING_DELETED)
        : Outcome.success(bucket.configuration());
  }
}
