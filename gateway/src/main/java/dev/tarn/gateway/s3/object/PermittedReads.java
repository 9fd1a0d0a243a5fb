package dev.tarn.gateway.s3.object;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.ObjectPermission;
import dev.tarn.gateway.s3.operation.Outcomes;
import dev.tarn.gateway.s3.operation.S3Request;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Reads objects for permitted callers. If the object's own ACL or its tags decide, those in the
 * read's own answer count. A separate request for them could miss that the object has become
 * private. The stage fails with AccessDenied before any byte is passed on.
 */
public record PermittedReads(ObjectTarget target) {
  private static final int CHANGE_ATTEMPTS_MAX = 5;

  CompletionStage<Outcome<ObjectRead>> get(ObjectPermission permission, Get request) {
    CompletionStage<Outcome<ObjectRead>> answer = target.call(request);
    if (permission.decision() == Decision.ALLOWED) {
      return answer;
    }
    Head whole = Head.ofWhole(request.scope(), request.key(), request.version());
    return answer.thenCompose(outcome ->
        switch (outcome) {
          case Outcome.Success<ObjectRead>(ObjectRead read) -> {
            try {
              permission.require(read.head().metadata());
            } catch (RuntimeException e) {
              read.body().close();
              throw e;
            }
            yield completedFuture(outcome);
          }
          case Outcome.Failed<ObjectRead>(Failure failure) ->
              judged(permission, whole, failure, outcome);
        });
  }

  /** Reads an object's metadata. */
  public CompletionStage<Outcome<ObjectHead>> head(ObjectPermission permission, Head request) {
    CompletionStage<Outcome<ObjectHead>> answer = target.call(request);
    if (permission.decision() == Decision.ALLOWED) {
      return answer;
    }
    Head whole = Head.ofWhole(request.scope(), request.key(), request.version());
    return answer.thenCompose(outcome ->
        switch (outcome) {
          case Outcome.Success<ObjectHead>(ObjectHead found) -> {
            permission.require(found.metadata());
            yield completedFuture(outcome);
          }
          case Outcome.Failed<ObjectHead>(Failure failure) ->
              judged(permission, whole, failure, outcome);
        });
  }

  /** Reads the metadata of the object that the request names. */
  public CompletionStage<Outcome<ObjectHead>> head(S3Request request) {
    return head(request, Head.ofWhole(request.scope(), request.key(), request.version()));
  }

  /**
   * Changes the object that the request names. If its tags decide, exactly the version that was
   * judged is changed. Blocks.
   *
   * @param change of a version; empty for the newest
   */
  public ObjectMetadata change(
      S3Request request, Function<Optional<String>, TargetRequest<ObjectMetadata>> change) {
    if (request.decision() == Decision.ALLOWED) {
      return Outcomes.await(target.call(change.apply(request.version())));
    }
    for (int attempt = 0; attempt < CHANGE_ATTEMPTS_MAX; attempt++) {
      ObjectMetadata judged = Outcomes.await(head(request)).metadata();
      Outcome<ObjectMetadata> outcome =
          target
              .call(change.apply(Optional.of(judged.version().text())))
              .toCompletableFuture()
              .join();
      boolean replaced =
          outcome instanceof Outcome.Failed<?>(Failure failure) && Outcomes.isMissing(failure);
      if (!replaced) {
        return Outcomes.value(outcome);
      }
    }
    throw S3Exception.of(S3ErrorCode.OPERATION_ABORTED);
  }

  /**
   * Hides failures that reveal something about an object. Only a caller who may read the object
   * gets them. For a failure without the object, the object is read again to decide.
   */
  private <T> CompletionStage<Outcome<T>> judged(
      ObjectPermission permission, Head whole, Failure failure, Outcome<T> outcome) {
    if (failure instanceof Failure.NotModified(ObjectMetadata unchanged)) {
      permission.require(unchanged);
      return completedFuture(outcome);
    }
    if (failure.category() != Failure.Category.CALLER) {
      return completedFuture(outcome);
    }
    return target
        .call(whole)
        .thenApply(present ->
            switch (present) {
              case Outcome.Success<ObjectHead>(ObjectHead found) -> {
                permission.require(found.metadata());
                yield outcome;
              }
              case Outcome.Failed<ObjectHead>(Failure again) -> {
                permission.require(null);
                yield again.category() == Failure.Category.CALLER ? outcome : Outcome.failed(again);
              }
            });
  }
}
