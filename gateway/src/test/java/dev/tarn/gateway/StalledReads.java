package dev.tarn.gateway;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/** A target whose reads wait until they are released. */
final class StalledReads extends ForwardingTarget {
  private final CountDownLatch arrived;
  private final CompletableFuture<Void> release;

  StalledReads(ObjectTarget target, CountDownLatch arrived, CompletableFuture<Void> release) {
    super(target);
    this.arrived = arrived;
    this.release = release;
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    if (!(request instanceof TargetRequest.Get)) {
      return super.call(request, body);
    }
    arrived.countDown();
    return release.thenCompose(ignored -> super.call(request, body));
  }
}
