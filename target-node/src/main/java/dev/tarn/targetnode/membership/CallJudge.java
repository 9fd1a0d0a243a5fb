package dev.tarn.targetnode.membership;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.transport.server.CallAdmission;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a call is admitted. For a call from another process, the server has verified the
 * capability before.
 *
 * <ol>
 *   <li>If the request names a newer map, newer settings or an unknown bucket, this target is
 *       stale. It first refreshes its view from the control plane, then decides.
 *   <li>A request under an older map fails with {@link Failure.StaleMap}.
 *   <li>A target that the map does not list with its disks refuses every request.
 *   <li>The bucket's settings must be known, and be at least as new as the caller's.
 * </ol>
 */
public final class CallJudge implements CallAdmission {
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

  @Override
  public CompletionStage<Optional<Failure>> refuse(TargetRequest<?> request) {
    return isStale(request) ? refuseRefreshed(request) : completedFuture(refuseNow(request));
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

  /** Why this target refuses a request, if it is not stale; empty if it admits the request. */
  private Optional<Failure> refuseNow(TargetRequest<?> request) {
    long epoch = view.mapEpoch();
    return request.scope().mapEpoch() < epoch
        ? Optional.of(new Failure.StaleMap(epoch))
        : view.refusal();
  }

  /** Refreshes the view, for a bounded time, then decides. The stage never fails. */
  private CompletionStage<Optional<Failure>> refuseRefreshed(TargetRequest<?> request) {
    CompletableFuture<Boolean> refreshed = new CompletableFuture<>();
    view.refresh()
        .whenComplete((upToDate, failure) -> refreshed.complete(failure == null && upToDate));
    return refreshed
        .completeOnTimeout(false, REFRESH_SECONDS_MAX, TimeUnit.SECONDS)
        .thenApply(upToDate -> refuse(request, upToDate));
  }

  private Optional<Failure> refuse(TargetRequest<?> request, boolean upToDate) {
    if (request.scope().mapEpoch() > view.mapEpoch()) {
      return Optional.of(
          new Failure.Unavailable(
              "The request was made under the cluster map of epoch "
                  + request.scope().mapEpoch()
                  + "; the target knows "
                  + view.mapEpoch()
                  + (upToDate ? ", which is the newest." : " and cannot ask for it now.")));
    }
    if (!upToDate && isStale(request)) {
      return Optional.of(
          new Failure.Unavailable(
              "Settings of the bucket are unknown to this target, which cannot reach the control"
                  + " plane; retry later."));
    }
    return refuseNow(request);
  }

  @Override
  public Optional<Failure> refuseOutdated(TargetRequest.Get read) {
    Bucket bucket = view.bucket(read.scope().bucket());
    return bucket != null && bucket.settingsVersion() > read.scope().settingsVersion()
        ? Optional.of(
            new Failure.Unavailable(
                "Ticket is outdated: the settings of the bucket have changed since it was issued;"
                    + " use the gateway."))
        : Optional.empty();
  }

  /** The bucket of a call, or why the caller must repeat it. */
  public Outcome<Bucket> enter(CallScope scope) {
    long epoch = view.mapEpoch();
    if (scope.mapEpoch() < epoch) {
      return Outcome.failed(new Failure.StaleMap(epoch));
    }
    long version = view.settingsVersion();
    Bucket bucket = view.bucket(scope.bucket());
    return bucket == null || version < scope.settingsVersion()
        ? Outcome.failed(new Failure.UnknownSettings(version))
        : Outcome.success(bucket);
  }

  /**
   * The present versioning of a bucket whose content is to be changed. Bucket and versioning may
   * have changed since the call was admitted. Fails while the bucket is being deleted.
   */
  public Outcome<Versioning> versioning(BucketId id) {
    Bucket bucket = view.bucket(id);
    if (bucket == null) {
      return Outcome.failed(new Failure.UnknownSettings(view.settingsVersion()));
    }
    return bucket.deletion().isPresent()
        ? Outcome.failed(BEING_DELETED)
        : Outcome.success(bucket.configuration().versioning());
  }
}
