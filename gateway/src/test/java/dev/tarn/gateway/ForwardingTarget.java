package dev.tarn.gateway;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import java.util.concurrent.CompletionStage;

/** A target that passes all calls on, to be overridden in part. */
public class ForwardingTarget implements ObjectTarget {
  private final ObjectTarget target;

  /** Passes them on to this one. */
  public ForwardingTarget(ObjectTarget target) {
    this.target = target;
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return target.call(request, body);
  }
}
