package dev.tarn.transport.relay;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import java.util.concurrent.CompletableFuture;

/**
 * A request on its way.
 *
 * @param sinceNanos when it began, by the clock of the pool
 * @param again whether it is sent for the second time
 */
record PendingCall(
    HopRequest request,
    CompletableFuture<Outcome<HopAnswer>> answer,
    long sinceNanos,
    boolean again) {
  PendingCall secondTry() {
    return new PendingCall(request, answer, sinceNanos, true);
  }

  void fail(Failure failure) {
    answer.complete(Outcome.failed(failure));
  }

  /** Gives the answer, or closes its body where nobody waits for it any more. */
  void succeed(HopAnswer given) {
    if (!answer.complete(Outcome.success(given))) {
      given.body().close();
    }
  }
}
