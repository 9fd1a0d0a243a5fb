package dev.tarn.cluster.target.memory;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A target that keeps everything in memory, up to a bound, and nothing beyond its own life. One
 * lock makes every call a single step; bodies are gathered outside it. Every bucket is there
 * without being made, and of its settings versioning alone has an effect.
 */
public final class MemoryTarget implements ObjectTarget {
  /** What a target made without a bound of its own keeps at most: objects and parts together. */
  public static final long CAPACITY_BYTES_DEFAULT = 1L << 30;

  private final Object lock = new Object();
  private final OpenBodies openBodies = new OpenBodies();
  private final MemoryState state;
  private final MemoryObjects objects;
  private final MemoryUploads uploads;

  /** Without versions, with the system's clock and the default bound. */
  public MemoryTarget() {
    this(bucket -> Versioning.OFF);
  }

  /** With the system's clock and the default bound. */
  public MemoryTarget(Function<BucketId, Versioning> versioning) {
    this(versioning, InstantSource.system(), CAPACITY_BYTES_DEFAULT);
  }

  /** Without versions, with a clock and a bound. */
  public MemoryTarget(InstantSource clock, long capacityBytes) {
    this(bucket -> Versioning.OFF, clock, capacityBytes);
  }

  /**
   * With a clock and a bound.
   *
   * @param versioning what a bucket does with earlier versions now
   * @param clock what commits are dated by
   * @param capacityBytes the most bytes of objects and parts; a write beyond it is out of space
   */
  public MemoryTarget(
      Function<BucketId, Versioning> versioning, InstantSource clock, long capacityBytes) {
    state =
        new MemoryState(
            requireNonNull(versioning, "versioning is null"),
            requireNonNull(clock, "clock is null"),
            capacityBytes);
    objects = new MemoryObjects(state, openBodies);
    uploads = new MemoryUploads(state, objects);
  }

  /** How many bodies reads have given out that are not yet closed. */
  public int openBodies() {
    return openBodies.count();
  }

  /**
   * Java 17 has no exhaustive switch over a sealed type: the contract suite calls every request.
   */
  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    if (request instanceof Put put) {
      return put.answer(
          request, collected(body, bytes -> objects.put(put, bytes, body.declaredDigests())));
    }
    if (request instanceof PutPart put) {
      return put.answer(
          request, collected(body, bytes -> uploads.putPart(put, bytes, body.declaredDigests())));
    }
    synchronized (lock) {
      return request instanceof UploadRequest<R> upload ? ofUpload(upload) : ofBucket(request);
    }
  }

  private <R> CompletionStage<Outcome<R>> ofBucket(TargetRequest<R> request) {
    BucketId bucket = request.scope().bucket();
    if (request instanceof Get get) {
      return get.answer(request, completedFuture(objects.get(get)));
    }
    if (request instanceof Head head) {
      return head.answer(request, completedFuture(objects.head(head)));
    }
    if (request instanceof Delete delete) {
      return delete.answer(request, completedFuture(objects.delete(delete)));
    }
    if (request instanceof Copy copy) {
      return copy.answer(request, completedFuture(objects.copy(copy)));
    }
    if (request instanceof SetTags set) {
      return set.answer(request, completedFuture(objects.setTags(set)));
    }
    if (request instanceof SetAcl set) {
      return set.answer(request, completedFuture(objects.setAcl(set)));
    }
    if (request instanceof CreateUpload create) {
      return create.answer(request, completedFuture(uploads.create(create)));
    }
    if (request instanceof ListObjects list) {
      return list.answer(
          request,
          completedFuture(Outcome.success(MemoryListing.objects(state.objects(bucket), list))));
    }
    if (request instanceof ListVersions list) {
      return list.answer(
          request,
          completedFuture(Outcome.success(MemoryListing.versions(state.objects(bucket), list))));
    }
    if (request instanceof ListUploads list) {
      return list.answer(
          request,
          completedFuture(Outcome.success(MemoryListing.uploads(state.uploads(bucket), list))));
    }
    throw new IllegalArgumentException("no handler for " + request.getClass().getName());
  }

  private <R> CompletionStage<Outcome<R>> ofUpload(UploadRequest<R> request) {
    if (request instanceof CopyPart copy) {
      return copy.answer(request, completedFuture(uploads.copyPart(copy)));
    }
    if (request instanceof Complete complete) {
      return complete.answer(request, completedFuture(uploads.complete(complete)));
    }
    if (request instanceof Abort abort) {
      return abort.answer(request, completedFuture(uploads.abort(abort)));
    }
    if (request instanceof ListParts list) {
      return list.answer(request, completedFuture(uploads.listParts(list)));
    }
    throw new IllegalArgumentException("no handler for " + request.getClass().getName());
  }

  private <R> CompletionStage<Outcome<R>> collected(
      IncomingBody body, Function<byte[], Outcome<R>> store) {
    long roomBytes;
    synchronized (lock) {
      roomBytes = state.roomBytes();
    }
    return BodyCollector.collect(body, roomBytes)
        .thenApply(collected ->
            collected.then(bytes -> {
              synchronized (lock) {
                return store.apply(bytes);
              }
            }));
  }
}
