package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a call is carried out, and on which bucket. A call is judged once, when it
 * arrives. For a call from another process, the server has verified the capability before.
 *
 * <ol>
 *   <li>If a request of another process names a newer map, newer settings or an unknown bucket,
 *       this target is stale. It first refreshes its view from the control plane, then decides.
 *   <li>A request under an older map fails with {@link Failure.StaleMap}.
 *   <li>A target that the map does not list with its disks refuses every request.
 *   <li>The bucket's settings must be known, and be at least as new as the caller's. So must those
 *       of a copy's source.
 * </ol>
 */
public final class CallJudge {
  private static final long REFRESH_SECONDS_MAX = 10;
  private static final Failure BEING_DELETED =
      new Failure.Unavailable("Change was refused: the bucket is being deleted; retry later.");

  private final ClusterView view;

  public CallJudge(ClusterView view) {
    this.view = requireNonNull(view, "view is null");
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
    return isStale(request) ? decideRefreshed(request) : completedFuture(decide(request));
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

  /** Whether the request names a map, a bucket or settings that this target does not know yet. */
  private boolean isStale(TargetRequest<?> request) {
    return isStale(request.scope())
        || (request instanceof TargetRequest.Copying<?> copy && isStale(copy.source().scope()));
  }

  private boolean isStale(CallScope scope) {
    return scope.mapEpoch() > view.mapEpoch()
        || view.settingsVersion() < scope.settingsVersion()
        || view.bucket(scope.bucket()) == null;
  }

  /**
   * The bucket of a call, by what this target knows now, or why the caller must repeat the call.
   */
  public Outcome<Bucket> decide(TargetRequest<?> request) {
    Outcome<Bucket> bucket = bucketOf(request.scope());
    return request instanceof TargetRequest.Copying<?> copy
        ? bucket.then(into -> bucketOf(copy.source().scope()).map(source -> into))
        : bucket;
  }

  private Outcome<Bucket> bucketOf(CallScope scope) {
    long epoch = view.mapEpoch();
    if (scope.mapEpoch() < epoch) {
      return Outcome.failed(new Failure.StaleMap(epoch));
    }
    Optional<Failure> refusal = view.refusal();
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    long version = view.settingsVersion();
    Bucket bucket = view.bucket(scope.bucket());
    return bucket == null || version < scope.settingsVersion()
        ? Outcome.failed(new Failure.UnknownSettings(version))
        : Outcome.success(bucket);
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
    if (request.scope().mapEpoch() > view.mapEpoch()) {
      return Outcome.failed(
          new Failure.Unavailable(
              "The request was made under the cluster map of epoch "
                  + request.scope().mapEpoch()
                  + "; the target knows "
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
