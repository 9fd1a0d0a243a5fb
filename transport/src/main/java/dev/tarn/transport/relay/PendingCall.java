package dev.tarn.transport.relay;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import java.util.concurrent.CompletableFuture;

/**
 * A call that has no answer yet.
 *
 * @param sinceNanos when it began, by the client's clock
 * @param again whether this is the second attempt
 */
record PendingCall(
    RelayRequest request,
    CompletableFuture<Outcome<RelayReply>> reply,
    long sinceNanos,
    boolean again) {
  PendingCall secondTry() {
    return new PendingCall(request, reply, sinceNanos, true);
  }

  void fail(Failure failure) {
    reply.complete(Outcome.failed(failure));
  }

  /** Completes the call with the reply. Closes the reply's body if nobody waits for the call. */
  void succeed(RelayReply given) {
    if (!reply.complete(Outcome.success(given))) {
      given.body().close();
    }
  }
}
