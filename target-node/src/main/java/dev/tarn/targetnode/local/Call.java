package dev.tarn.targetnode.local;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import java.util.concurrent.CompletionStage;

/**
 * A call that was admitted.
 *
 * @param bucket the bucket of the request, as it was when the call was admitted
 * @param body of the request
 */
public record Call(Bucket bucket, IncomingBody body) {
  public Call {
    requireNonNull(bucket, "bucket is null");
    requireNonNull(body, "body is null");
  }

  /** Fails the call without reading its body. */
  public <R> CompletionStage<Outcome<R>> refuse(Failure failure) {
    return refuse(body, failure);
  }

  /** Fails a call without reading its body. */
  public static <R> CompletionStage<Outcome<R>> refuse(IncomingBody body, Failure failure) {
    body.bytes().subscribe(new RefusedBody());
    return completedFuture(Outcome.failed(failure));
  }
}
