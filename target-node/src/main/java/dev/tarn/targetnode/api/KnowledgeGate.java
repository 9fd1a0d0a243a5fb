package dev.tarn.targetnode.api;

import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.targetnode.membership.ClusterKnowledge;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/**
 * Judges calls by what this target knows of the cluster. A call by a caller who knows more is not
 * judged before the target has asked: its old knowledge is never acted on.
 */
final class KnowledgeGate {
  private static final long CATCH_UP_SECONDS_MAX = 10;

  private final ClusterKnowledge known;

  KnowledgeGate(ClusterKnowledge known) {
    this.known = known;
  }

  /** Whether the caller knows of a map, a bucket or settings that are not known here. */
  boolean isBehind(TargetRequest<?> request) {
    return isBehind(request.scope())
        || (request instanceof TargetRequest.Copy copy && isBehind(copy.source().scope()))
        || (request instanceof UploadRequest.CopyPart part && isBehind(part.source().scope()));
  }

  private boolean isBehind(CallScope scope) {
    return scope.mapEpoch() > known.mapEpoch() || !known.knowsSettings(scope);
  }

  /** Why this call is refused as of now, if it is; for a caller who knows no more than we. */
  Optional<Failure> refuse(TargetRequest<?> request) {
    long epoch = known.mapEpoch();
    return request.scope().mapEpoch() < epoch
        ? Optional.of(new Failure.StaleMap(epoch))
        : known.refusal();
  }

  /** Why a ticket that was given some time ago is not good any more, if so. */
  Optional<Failure> refuseOutdated(TargetRequest.Get request) {
    return known.knowsNewerSettings(request.scope())
        ? Optional.of(
            new Failure.Unavailable(
                "The settings of the bucket have changed since the ticket was given."))
        : Optional.empty();
  }

  /** Asks what there is to know, for a bounded time, and then judges. Never fails. */
  CompletionStage<Optional<Failure>> refuseAfterCatchingUp(TargetRequest<?> request) {
    CompletableFuture<Boolean> asked = new CompletableFuture<>();
    known
        .refresh()
        .whenComplete((upToDate, failure) -> asked.complete(failure == null && upToDate));
    return asked
        .completeOnTimeout(false, CATCH_UP_SECONDS_MAX, TimeUnit.SECONDS)
        .thenApply(upToDate -> refuse(request, upToDate));
  }

  private Optional<Failure> refuse(TargetRequest<?> request, boolean upToDate) {
    if (request.scope().mapEpoch() > known.mapEpoch()) {
      return Optional.of(
          new Failure.Unavailable(
              "The request was made under the cluster map of epoch "
                  + request.scope().mapEpoch()
                  + "; the target knows "
                  + known.mapEpoch()
                  + (upToDate ? ", which is the newest." : " and cannot ask for it now.")));
    }
    if (!upToDate && isBehind(request)) {
      return Optional.of(
          new Failure.Unavailable(
              "The target does not know the settings of the bucket and cannot ask for them now."));
    }
    return refuse(request);
  }
}
