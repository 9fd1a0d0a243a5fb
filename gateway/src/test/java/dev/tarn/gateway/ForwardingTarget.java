package dev.tarn.gateway;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.SelectiveHandler;
import dev.tarn.cluster.target.TargetRequest;
import java.util.concurrent.CompletionStage;

/** A target that passes all calls on, to be overridden for all requests or for some kinds. */
public class ForwardingTarget implements ObjectTarget, SelectiveHandler<IncomingBody> {
  private final ObjectTarget target;

  /** Passes them on to this one. */
  public ForwardingTarget(ObjectTarget target) {
    this.target = target;
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return request.on(this, body);
  }

  @Override
  public final <R> CompletionStage<Outcome<R>> remaining(
      TargetRequest<R> request, IncomingBody body) {
    return target.call(request, body);
  }
}
