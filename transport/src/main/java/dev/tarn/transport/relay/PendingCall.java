package dev.tarn.transport.relay;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import java.util.concurrent.CompletableFuture;

/**
 * A call without its answer yet.
 *
 * @param sinceNanos when it began, by the client's clock
 * @param again whether it is sent for the second time
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

  /** Gives the reply, or closes its body if nobody waits for it any more. */
  void succeed(RelayReply given) {
    if (!reply.complete(Outcome.success(given))) {
      given.body().close();
    }
  }
}
