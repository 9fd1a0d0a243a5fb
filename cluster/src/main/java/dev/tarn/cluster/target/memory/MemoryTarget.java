package dev.tarn.cluster.target.memory;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest.Abort;
import dev.tarn.cluster.target.TargetRequest.Complete;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListParts;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.PutPart;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

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

  /** How many bodies {@link #get} has given out that are not yet closed. */
  public int openBodies() {
    return openBodies.count();
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request) {
    return locked(() -> objects.get(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head request) {
    return locked(() -> objects.head(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body) {
    return collect(body)
        .thenApply(collected ->
            collected.then(
                bytes -> underLock(() -> objects.put(request, bytes, body.declaredDigests()))));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete request) {
    return locked(() -> objects.delete(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return locked(() -> objects.copy(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request) {
    return locked(() -> objects.setTags(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request) {
    return locked(() -> objects.setAcl(request));
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects request) {
    return locked(() ->
        Outcome.success(MemoryListing.objects(state.objects(request.scope().bucket()), request)));
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request) {
    return locked(() ->
        Outcome.success(MemoryListing.versions(state.objects(request.scope().bucket()), request)));
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload request) {
    return locked(() -> uploads.create(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body) {
    return collect(body)
        .thenApply(collected ->
            collected.then(
                bytes -> underLock(() -> uploads.putPart(request, bytes, body.declaredDigests()))));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    return locked(() -> uploads.copyPart(request));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete request) {
    return locked(() -> uploads.complete(request));
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort request) {
    return locked(() -> uploads.abort(request));
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts request) {
    return locked(() -> uploads.listParts(request));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request) {
    return locked(() ->
        Outcome.success(MemoryListing.uploads(state.uploads(request.scope().bucket()), request)));
  }

  private CompletionStage<Outcome<byte[]>> collect(IncomingBody body) {
    long roomBytes;
    synchronized (lock) {
      roomBytes = state.roomBytes();
    }
    return BodyCollector.collect(body, roomBytes);
  }

  private <T> T underLock(Supplier<T> step) {
    synchronized (lock) {
      return step.get();
    }
  }

  private <T> CompletionStage<T> locked(Supplier<T> step) {
    return completedFuture(underLock(step));
  }
}
