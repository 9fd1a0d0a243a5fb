package dev.tarn.gateway.s3;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.route.Relay;
import dev.tarn.gateway.s3.BucketAccess.Ruling;
import dev.tarn.gateway.s3.CopySources.Source;
import java.util.concurrent.CompletionStage;

/**
 * Makes copies. A target copies within a bucket and between buckets that it keeps itself; where one
 * of two buckets has a backend, the source is read and put here. So it is where the source's own
 * ACL decides, as the very bytes that are put must be those of an object that may be read.
 */
final class Copies {
  private final ObjectTarget target;
  private final ControlPlane control;
  private final Relay relay;
  private final Relay relayOfPublic;

  Copies(ObjectTarget target, ControlPlane control) {
    this.target = target;
    this.control = control;
    this.relay = new Relay(target::get, target, Thread::startVirtualThread);
    Reads reads = new Reads(target);
    this.relayOfPublic =
        new Relay(get -> reads.get(Ruling.BY_OBJECT_ACL, get), target, Thread::startVirtualThread);
  }

  CompletionStage<Outcome<ObjectMetadata>> copy(Source source, Copy request) {
    if (source.ruling() == Ruling.BY_OBJECT_ACL) {
      return relayOfPublic.copy(request).thenApply(outcome -> told(source, outcome));
    }
    return (crossesABackend(request, request.source()) ? relay.copy(request) : target.copy(request))
        .thenApply(outcome -> told(source, outcome));
  }

  CompletionStage<Outcome<ObjectPart>> copyPart(Source source, CopyPart request) {
    if (source.ruling() == Ruling.BY_OBJECT_ACL) {
      return relayOfPublic.copyPart(request).thenApply(outcome -> told(source, outcome));
    }
    return (crossesABackend(request, request.source())
            ? relay.copyPart(request)
            : target.copyPart(request))
        .thenApply(outcome -> told(source, outcome));
  }

  /** Who may not list the source's bucket is not told that a key of it is missing. */
  private static <T> Outcome<T> told(Source source, Outcome<T> outcome) {
    if (outcome instanceof Outcome.Failed<T>(Failure failure)
        && Outcomes.isMissing(failure)
        && !source.access().mayList()) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
    return outcome;
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
