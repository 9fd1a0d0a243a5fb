package dev.tarn.gateway.s3.object;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.s3.operation.BucketAccess;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import java.util.concurrent.CompletionStage;

/**
 * Reads objects for permitted callers. If the object's own ACL decides, the ACL in the read's own
 * answer counts. A separate request for the ACL could miss that the object has become private. The
 * stage fails with AccessDenied before any byte is passed on.
 */
public record PermittedReads(ObjectTarget target) {
  CompletionStage<Outcome<ObjectRead>> get(Decision decision, BucketAccess access, Get request) {
    CompletionStage<Outcome<ObjectRead>> answer = target.call(request);
    if (decision == Decision.ALLOWED) {
      return answer;
    }
    Head whole = Head.ofWhole(request.scope(), request.key(), request.version());
    return answer.thenCompose(outcome ->
        switch (outcome) {
          case Outcome.Success<ObjectRead>(ObjectRead read) -> {
            if (!access.isOpenByAcl(read.head().metadata())) {
              read.body().close();
              throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
            }
            yield completedFuture(outcome);
          }
          case Outcome.Failed<ObjectRead>(Failure failure) ->
              judged(access, whole, failure, outcome);
        });
  }

  CompletionStage<Outcome<ObjectHead>> head(Decision decision, BucketAccess access, Head request) {
    CompletionStage<Outcome<ObjectHead>> answer = target.call(request);
    if (decision == Decision.ALLOWED) {
      return answer;
    }
    Head whole = Head.ofWhole(request.scope(), request.key(), request.version());
    return answer.thenCompose(outcome ->
        switch (outcome) {
          case Outcome.Success<ObjectHead>(ObjectHead found) -> {
            requireOpen(access, found.metadata());
            yield completedFuture(outcome);
          }
          case Outcome.Failed<ObjectHead>(Failure failure) ->
              judged(access, whole, failure, outcome);
        });
  }

  /**
   * Hides failures that reveal something about a private object. Only a caller who may read the
   * object gets them. For a failure without the object's ACL, the object is read again to check its
   * ACL.
   */
  private <T> CompletionStage<Outcome<T>> judged(
      BucketAccess access, Head whole, Failure failure, Outcome<T> outcome) {
    if (failure instanceof Failure.NotModified(ObjectMetadata unchanged)) {
      requireOpen(access, unchanged);
      return completedFuture(outcome);
    }
    if (failure.category() != Failure.Category.CALLER) {
      return completedFuture(outcome);
    }
    return target
        .call(whole)
        .thenApply(present -> {
          if (present instanceof Outcome.Success<ObjectHead>(ObjectHead found)) {
            requireOpen(access, found.metadata());
            return outcome;
          }
          throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
        });
  }

  private static void requireOpen(BucketAccess access, ObjectMetadata object) {
    if (!access.isOpenByAcl(object)) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
  }
}
