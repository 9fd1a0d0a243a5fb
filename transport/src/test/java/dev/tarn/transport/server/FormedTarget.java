package dev.tarn.transport.server;

import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.SelectiveHandler;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Get;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** A target that gives its bytes in another form. */
public final class FormedTarget implements ObjectTarget, SelectiveHandler<IncomingBody> {
  private final ObjectTarget target;
  private final UnaryOperator<OutgoingBody> form;

  /** Changes the form of the bytes that this target gives. */
  public FormedTarget(ObjectTarget target, UnaryOperator<OutgoingBody> form) {
    this.target = target;
    this.form = form;
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return request.on(this, body);
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request, IncomingBody body) {
    return target
        .call(request)
        .thenApply(
            outcome -> outcome.map(read -> new ObjectRead(read.head(), form.apply(read.body()))));
  }

  @Override
  public <R> CompletionStage<Outcome<R>> remaining(TargetRequest<R> request, IncomingBody body) {
    return target.call(request, body);
  }
}
