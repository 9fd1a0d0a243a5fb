package dev.tarn.gateway;

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
  public CompletionStage<Outcome<ObjectRead>> get(TargetRequest.Get request) {
    arrived.countDown();
    return release.thenCompose(ignored -> super.get(request));
  }
}
