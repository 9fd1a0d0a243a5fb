package dev.tarn.gateway.s3;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.gateway.route.Relay;
import java.util.concurrent.CompletionStage;

/**
 * Makes copies. A target copies within a bucket and between buckets that it keeps itself; where one
 * of two buckets has a backend, the source is read and put here.
 */
final class Copies {
  private final ObjectTarget target;
  private final ControlPlane control;
  private final Relay relay;

  Copies(ObjectTarget target, ControlPlane control) {
    this.target = target;
    this.control = control;
    this.relay = new Relay(target, target, Thread::startVirtualThread);
  }

  CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return crossesABackend(request, request.source()) ? relay.copy(request) : target.copy(request);
  }

  CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    return crossesABackend(request, request.source())
        ? relay.copyPart(request)
        : target.copyPart(request);
  }

  private boolean crossesABackend(TargetRequest request, CopySource source) {
    BucketId from = source.scope().bucket();
    BucketId to = request.scope().bucket();
    return !from.equals(to) && (hasBackend(from) || hasBackend(to));
  }

  private boolean hasBackend(BucketId id) {
    Bucket bucket = control.state().bucket(id);
    return bucket != null && bucket.settings().backend().isPresent();
  }
}
