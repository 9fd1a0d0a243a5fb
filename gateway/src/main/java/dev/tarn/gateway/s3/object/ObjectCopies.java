package dev.tarn.gateway.s3.object;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.route.Relay;
import dev.tarn.gateway.s3.object.CopySources.Source;
import dev.tarn.gateway.s3.operation.BucketAccess.Decision;
import dev.tarn.gateway.s3.operation.Outcomes;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/**
 * Copies objects. A target copies within a bucket, and between buckets without a backend. If one of
 * two buckets has a backend, the gateway reads the source and puts the copy. The gateway also
 * copies if the source object itself decides whether it may be copied. The bytes of the copy must
 * then be those of the object that was checked.
 */
public final class ObjectCopies {
  private final ObjectTarget target;
  private final ControlPlane control;
  private final PermittedReads reads;
  private final Relay relay;

  public ObjectCopies(ObjectTarget target, ControlPlane control) {
    this.target = target;
    this.control = control;
    this.reads = new PermittedReads(target);
    this.relay = relayFrom(target::call);
  }

  private Relay relayFrom(Relay.Source source) {
    return new Relay(source, target, Thread::startVirtualThread);
  }

  /**
   * Copies an object.
   *
   * @param mayBeTagged whether the source may have any tags: the copy replaces them, or the caller
   *     may copy them
   * @param mayTake whether the caller may copy these tags
   */
  CompletionStage<Outcome<ObjectMetadata>> copy(
      Source source, boolean mayBeTagged, Predicate<Map<String, String>> mayTake, Copy request) {
    CompletionStage<Outcome<ObjectMetadata>> copied;
    if (source.decision() != Decision.ALLOWED || !mayBeTagged) {
      Relay.Source judged = withTags(get -> reads.get(source, get), request);
      copied = relayFrom(mayBeTagged ? judged : tagged(judged, mayTake)).copy(request);
    } else if (crossesABackend(request, request.source())) {
      copied = relayFrom(withTags(target::call, request)).copy(request);
    } else {
      copied = target.call(request);
    }
    return copied.thenApply(outcome -> told(source, outcome));
  }

  /**
   * Copies an object, or a range of one, into a part of an upload. A range beyond the end of the
   * source is refused.
   */
  public CompletionStage<Outcome<ObjectPart>> copyPart(Source source, CopyPart request) {
    CompletionStage<Outcome<ObjectPart>> copied;
    if (source.decision() != Decision.ALLOWED) {
      copied = relayFrom(get -> reads.get(source, get)).copyPart(request);
    } else if (crossesABackend(request, request.source())) {
      copied = relay.copyPart(request);
    } else {
      copied = target.call(request);
    }
    return copied.thenApply(outcome -> {
      if (outcome instanceof Outcome.Failed<?>(Failure.RangeNotSatisfiable(long sizeBytes))) {
        throw S3Exception.of(
            S3ErrorCode.INVALID_ARGUMENT,
            "Range specified is not valid for source object of size: " + sizeBytes);
      }
      return told(source, outcome);
    });
  }

  /**
   * Reads from the same source, and gives the object's tags if the copy takes them over: a read
   * from a backend does not.
   */
  private Relay.Source withTags(Relay.Source source, Copy copy) {
    if (copy.tags().isPresent() || !hasBackend(copy.source().scope().bucket())) {
      return source;
    }
    return get ->
        source
            .get(get)
            .thenCompose(outcome ->
                outcome instanceof Outcome.Success<ObjectRead>(ObjectRead read)
                    ? tagsOf(get, read)
                    : completedFuture(outcome));
  }

  private CompletionStage<Outcome<ObjectRead>> tagsOf(TargetRequest.Get get, ObjectRead read) {
    return target
        .call(TargetRequest.Head.ofTags(get.scope(), get.key(), version(get, read)))
        .whenComplete((tagged, defect) -> {
          if (defect != null) {
            read.body().close();
          }
        })
        .thenApply(tagged -> {
          if (tagged instanceof Outcome.Success<ObjectHead>(ObjectHead head)) {
            return Outcome.success(read.with(head.metadata().attributes().tags()));
          }
          read.body().close();
          return tagged.map(head -> read);
        });
  }

  /** The version that is read, if the backend keeps versions. */
  private static Optional<String> version(TargetRequest.Get get, ObjectRead read) {
    return get.version()
        .or(() ->
            Optional.ofNullable(read.head().metadata().origin())
                .flatMap(origin -> Optional.ofNullable(origin.version())));
  }

  /**
   * Reads from the same source, but refuses objects with tags that the caller may not read, or may
   * not set on the copy.
   */
  private static Relay.Source tagged(Relay.Source source, Predicate<Map<String, String>> mayTake) {
    return get ->
        source
            .get(get)
            .thenApply(outcome -> {
              if (outcome instanceof Outcome.Success<ObjectRead>(ObjectRead read)
                  && !read.head().metadata().attributes().tags().isEmpty()
                  && !mayTake.test(read.head().metadata().attributes().tags())) {
                read.body().close();
                throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
              }
              return outcome;
            });
  }

  /** Hides from a caller without permission to list the source's bucket that a key is missing. */
  private static <T> Outcome<T> told(Source source, Outcome<T> outcome) {
    if (outcome instanceof Outcome.Failed<T>(Failure failure)
        && Outcomes.isMissing(failure)
        && !source.access().mayList()) {
      throw S3Exception.of(S3ErrorCode.ACCESS_DENIED);
    }
    return outcome;
  }

  private boolean crossesABackend(TargetRequest<?> request, CopySource source) {
    BucketId from = source.scope().bucket();
    BucketId to = request.scope().bucket();
    return !from.equals(to) && (hasBackend(from) || hasBackend(to));
  }

  private boolean hasBackend(BucketId id) {
    Bucket bucket = control.state().bucket(id);
    return bucket != null && bucket.settings().backend().isPresent();
  }
}
