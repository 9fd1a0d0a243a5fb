package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest;
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
import dev.tarn.targetnode.BucketRules;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.CallGate;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.memory.DirectBuffers;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A target whose buckets may have a backend; all others go straight to the local target. A cached
 * read whose bytes are here and fresh does too, on the caller's thread.
 */
public final class CachingTarget implements ObjectTarget {
  private static final Logger LOG = LoggerFactory.getLogger(CachingTarget.class);

  private final ObjectTarget local;
  private final CallGate gate;
  private final Backends backends;
  private final Executor threads;
  private final CachedReads reads;
  private final CachedWrites writes;

  /**
   * A caching target.
   *
   * @param local serves what is on the disks
   * @param buffers blocks are verified in
   * @param threads one virtual thread a task
   */
  public CachingTarget(
      ObjectTarget local,
      CallGate gate,
      Backends backends,
      NodeDisks disks,
      CacheFigures figures,
      DirectBuffers buffers,
      InstantSource clock,
      Executor threads) {
    this.local = local;
    this.gate = gate;
    this.backends = backends;
    this.threads = threads;
    CacheEntries entries = new CacheEntries(name -> storeOf(disks, name), clock);
    UnitFetches fetches = new UnitFetches(entries, figures, threads);
    this.reads = new CachedReads(local, entries, fetches, figures, buffers, clock, threads);
    this.writes = new CachedWrites(entries, clock);
  }

  private static DiskStore storeOf(NodeDisks disks, ObjectName name) {
    return switch (disks.storeOf(name)) {
      case Outcome.Success<DiskStore> store -> store.value();
      case Outcome.Failed<DiskStore> failed -> throw new RefusedException(failed.failure());
    };
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request) {
    Optional<BucketSettings> cached = cached(request);
    if (cached.isEmpty()) {
      return local.get(request);
    }
    if (isAtHand(request, request.version(), request.selection(), cached.orElseThrow())) {
      reads.countHit();
      return local
          .get(request)
          .thenCompose(read ->
              read instanceof Outcome.Failed<ObjectRead> failed
                      && CachedReads.isLost(failed.failure())
                  ? slowGet(request, cached)
                  : CompletableFuture.completedFuture(read));
    }
    return slowGet(request, cached);
  }

  private CompletionStage<Outcome<ObjectRead>> slowGet(
      Get request, Optional<BucketSettings> cached) {
    return blocking(cached, backend -> reads.get(request, backend, cached.orElseThrow()));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head request) {
    Optional<BucketSettings> cached = cached(request);
    if (cached.isEmpty()
        || isAtHand(request, request.version(), request.selection(), cached.orElseThrow())) {
      return local.head(request);
    }
    return blocking(cached, backend -> reads.head(request, backend, cached.orElseThrow()));
  }

  private boolean isAtHand(
      TargetRequest.OfKey request,
      Optional<String> version,
      Selection selection,
      BucketSettings cached) {
    return version.isEmpty() && reads.isFreshAndHere(request.name(), selection, cached.freshness());
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.put(request, body)
        : blocking(cached, backend -> writes.put(request, body, backend));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.delete(request)
        : blocking(cached, backend -> writes.delete(request, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    Optional<BucketSettings> cached = cached(request);
    if (cached.isEmpty() && cached(request.source()).isEmpty()) {
      return local.copy(request);
    }
    if (!request.source().scope().bucket().equals(request.scope().bucket())) {
      return CompletableFuture.completedFuture(Outcome.failed(betweenBuckets()));
    }
    return blocking(cached, backend -> writes.copy(request, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.setTags(request)
        : blocking(cached, backend -> writes.setTags(request, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request) {
    return cached(request).isEmpty()
        ? local.setAcl(request)
        : CompletableFuture.completedFuture(
            Outcome.failed(
                new Failure.InvalidRequest(
                    "Objects of a bucket with a backend have no ACL of their own.")));
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.listObjects(request)
        : blocking(
            cached,
            backend ->
                Outcome.success(
                    backend.list(
                        request.prefix(),
                        request.delimiter(),
                        request.after(),
                        request.entriesMax())));
  }

  /** A backend's objects are listed as null versions: which others it has is its own affair. */
  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.listVersions(request)
        : blocking(
            cached,
            backend ->
                Outcome.success(
                    nullVersions(
                        backend.list(
                            request.prefix(),
                            request.delimiter(),
                            request.afterKey(),
                            request.entriesMax()))));
  }

  private static VersionPage nullVersions(ListPage page) {
    return new VersionPage(
        page.entries().stream().map(CachingTarget::nullVersion).toList(), page.truncated());
  }

  private static VersionPage.Entry nullVersion(ListPage.Entry entry) {
    return switch (entry) {
      case ListPage.CommonPrefix group -> new VersionPage.CommonPrefix(group.prefix());
      case ListPage.ObjectEntry object ->
          new VersionPage.VersionEntry(
              object.key(),
              new ObjectVersion(0, Math.max(0, object.modifiedMs()), 0),
              true,
              true,
              false,
              object.sizeBytes(),
              object.etag(),
              object.modifiedMs(),
              object.checksums());
    };
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.createUpload(request)
        : blocking(
            cached,
            backend -> Outcome.success(backend.createUpload(request.key(), request.attributes())));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.putPart(request, body)
        : blocking(cached, backend -> writes.putPart(request, body, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    Optional<BucketSettings> cached = cached(request);
    if (cached.isEmpty() && cached(request.source()).isEmpty()) {
      return local.copyPart(request);
    }
    if (!request.source().scope().bucket().equals(request.scope().bucket())) {
      return CompletableFuture.completedFuture(Outcome.failed(betweenBuckets()));
    }
    return blocking(cached, backend -> reads.copyPart(request, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.complete(request)
        : blocking(cached, backend -> writes.complete(request, backend));
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.abort(request)
        : blocking(
            cached,
            backend -> {
              backend.abort(request.key(), request.uploadId());
              return Outcome.success(new Aborted());
            });
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.listParts(request)
        : blocking(
            cached,
            backend ->
                Outcome.success(
                    backend.listParts(
                        request.key(),
                        request.uploadId(),
                        request.afterNumber(),
                        request.partsMax())));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request) {
    Optional<BucketSettings> cached = cached(request);
    return cached.isEmpty()
        ? local.listUploads(request)
        : blocking(cached, backend -> Outcome.success(backend.listUploads(request)));
  }

  private static Failure betweenBuckets() {
    return new Failure.InvalidRequest(
        "A bucket with a backend copies within itself only: read the source and put it instead.");
  }

  private Optional<BucketSettings> cached(TargetRequest request) {
    return cached(request.scope());
  }

  private Optional<BucketSettings> cached(TargetRequest.CopySource source) {
    return cached(source.scope());
  }

  /**
   * The settings, if they name a backend; a call that the gate refuses is the local's to refuse.
   */
  private Optional<BucketSettings> cached(CallScope scope) {
    return gate.enter(scope) instanceof Outcome.Success<BucketRules> entered
            && entered.value().settings().backend().isPresent()
        ? Optional.of(entered.value().settings())
        : Optional.empty();
  }

  /** A call in blocking style, on a thread of its own. */
  private interface Call<T> {
    Outcome<T> on(Backend backend) throws IOException;
  }

  private <T> CompletionStage<Outcome<T>> blocking(Optional<BucketSettings> cached, Call<T> call) {
    BackendSettings backend = cached.flatMap(BucketSettings::backend).orElseThrow();
    return CompletableFuture.supplyAsync(() -> call(backend, call), threads);
  }

  private <T> Outcome<T> call(BackendSettings backend, Call<T> call) {
    try {
      return call.on(backends.of(backend));
    } catch (BackendException e) {
      return Outcome.failed(e.failure());
    } catch (RefusedException e) {
      return Outcome.failed(e.failure());
    } catch (IOException | TruncatedUnitException e) {
      LOG.warn("A read through {} failed: {}", backend, e.getMessage());
      return Outcome.failed(new Failure.BackendFailed(0, "", String.valueOf(e.getMessage())));
    }
  }
}
