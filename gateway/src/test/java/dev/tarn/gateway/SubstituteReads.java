package dev.tarn.gateway;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutgoingBody;
import dev.tarn.cluster.target.TargetRequest;
import java.util.concurrent.CompletionStage;
import java.util.function.LongFunction;

/** A target whose reads give another body than the one stored, of any length. */
final class SubstituteReads extends ForwardingTarget {
  private final LongFunction<OutgoingBody> bodyOfLength;
  private final long length;

  SubstituteReads(ObjectTarget target, LongFunction<OutgoingBody> bodyOfLength, long length) {
    super(target);
    this.bodyOfLength = bodyOfLength;
    this.length = length;
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(TargetRequest.Get request, IncomingBody body) {
    return super.get(request, body).thenApply(outcome -> outcome.map(this::substitute));
  }

  private ObjectRead substitute(ObjectRead read) {
    read.body().close();
    ObjectMetadata stored = read.head().metadata();
    ObjectMetadata longer =
        new ObjectMetadata(
            stored.name(),
            stored.version(),
            stored.nullVersion(),
            stored.deleteMarker(),
            length,
            stored.etag(),
            stored.checksums(),
            stored.attributes(),
            stored.modifiedMs(),
            stored.parts(),
            stored.origin());
    return new ObjectRead(new ObjectHead(longer, 0, length), bodyOfLength.apply(length));
  }
}
