package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetHandler;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.Copying;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.memory.DirectBuffers;
import dev.tarn.targetnode.store.space.DiskEviction;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A target for buckets with and without a backend. Calls to buckets without a backend go directly
 * to the local target, on the caller's thread. So do cached reads whose bytes are on the disk and
 * fresh.
 */
public final class CachingTarget implements ObjectTarget {
  private static final Logger LOG = LoggerFactory.getLogger(CachingTarget.class);

  private static final Failure NO_ACLS =
      new Failure.InvalidRequest(
          "ACL cannot be set: objects of a bucket with a backend have no ACL of their own.");
  private static final Failure NO_STAND_IN =
      new Failure.Unavailable(
          "Read failed: the owner of the key is away, and no other target can answer for a bucket"
              + " without a backend.");
  private static final Failure BETWEEN_BUCKETS =
      new Failure.InvalidRequest(
          "Copy failed: a bucket with a backend copies only within itself; read the source and put"
              + " it instead.");

  private final ObjectTarget local;
  private final CallJudge judge;
  private final Backends backends;
  private final NodeDisks disks;
  private final Executor threads;
  private final CachedReads reads;
  private final CachedWrites writes;
  private final CachedWrites lastingWrites;
  private final TargetHandler<Call> throughBackend = new ThroughBackend();

  /**
   * A caching target.
   *
   * @param local serves the objects on the disks
   * @param buffers for verifying blocks
   * @param threads runs each task on its own virtual thread
   */
  public CachingTarget(
      ObjectTarget local,
      CallJudge judge,
      Backends backends,
      NodeDisks disks,
      CacheFigures figures,
      DirectBuffers buffers,
      InstantSource clock,
      Executor threads) {
    this.local = local;
    this.judge = judge;
    this.backends = backends;
    this.disks = disks;
    this.threads = threads;
    CacheEntries entries = new CacheEntries(name -> storeOf(disks, name), clock);
    UnitFetches fetches = new UnitFetches(entries, figures, threads);
    SmallCachedObjects smallObjects = new SmallCachedObjects(judge.view()::isCached);
    CacheMisses misses = new CacheMisses(entries, fetches, figures, smallObjects);
    CurrentObjects objects = new CurrentObjects(entries, misses, figures, clock);
    this.reads = new CachedReads(local, entries, fetches, objects, figures, buffers, threads);
    KnownUploads uploads = new KnownUploads();
    this.writes = new CachedWrites(entries, smallObjects, uploads, clock, Durability.SYSTEM);
    this.lastingWrites = new CachedWrites(entries, smallObjects, uploads, clock, Durability.DEVICE);
  }

  private static DiskStore storeOf(NodeDisks disks, ObjectName name) {
    return switch (disks.storeOf(name)) {
      case Outcome.Success<DiskStore> store -> store.value();
      case Outcome.Failed<DiskStore> failed -> throw new CallRefusedException(failed.failure());
    };
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    Optional<BucketSettings> cached =
        cached(request.scope())
            .or(() ->
                request instanceof Copying<R> copying
                    ? cached(copying.source().scope())
                    : Optional.empty());
    if (cached.isPresent()) {
      return request.on(throughBackend, new Call(cached.orElseThrow(), body));
    }
    return request.scope().answerer() == Answerer.STAND_IN
            && judge.enter(request.scope()) instanceof Outcome.Success
        ? CompletableFuture.completedFuture(Outcome.failed(NO_STAND_IN))
        : local.call(request, body); // refuses an eviction, and what the judge refuses
  }

  /**
   * A call to a bucket with a backend.
   *
   * @param settings of the bucket
   */
  private record Call(BucketSettings settings, IncomingBody body) {}

  /** Carries out the calls to buckets with a backend. */
  private final class ThroughBackend implements TargetHandler<Call> {
    @Override
    public CompletionStage<Outcome<ObjectRead>> get(Get get, Call call) {
      return CachingTarget.this.get(get, call.settings());
    }

    @Override
    public CompletionStage<Outcome<ObjectHead>> head(Head head, Call call) {
      return CachingTarget.this.head(head, call.settings());
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> put(Put put, Call call) {
      return writing(put, call, (writes, backend) -> writes.put(put, call.body(), backend));
    }

    @Override
    public CompletionStage<Outcome<Deleted>> delete(Delete delete, Call call) {
      return writing(delete, call, (writes, backend) -> writes.delete(delete, backend));
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> copy(Copy copy, Call call) {
      return withinBucket(copy, call, (writes, backend) -> writes.copy(copy, backend));
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags set, Call call) {
      return writing(set, call, (writes, backend) -> writes.setTags(set, backend));
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl set, Call call) {
      return CompletableFuture.completedFuture(Outcome.failed(NO_ACLS));
    }

    @Override
    public CompletionStage<Outcome<ListPage>> listObjects(ListObjects list, Call call) {
      return blocking(
          list,
          call.settings(),
          backend ->
              Outcome.success(
                  backend.list(list.prefix(), list.delimiter(), list.after(), list.entriesMax())));
    }

    @Override
    public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions list, Call call) {
      return blocking(
          list, call.settings(), backend -> Outcome.success(nullVersions(backend, list)));
    }

    @Override
    public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads list, Call call) {
      return blocking(list, call.settings(), backend -> Outcome.success(backend.listUploads(list)));
    }

    @Override
    public CompletionStage<Outcome<Evicted>> evict(Evict evict, Call call) {
      return CachingTarget.this.evict(evict);
    }

    @Override
    public CompletionStage<Outcome<String>> createUpload(CreateUpload create, Call call) {
      return writing(create, call, (writes, backend) -> writes.createUpload(create, backend));
    }

    @Override
    public CompletionStage<Outcome<ObjectPart>> putPart(PutPart put, Call call) {
      return writing(put, call, (writes, backend) -> writes.putPart(put, call.body(), backend));
    }

    @Override
    public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart copy, Call call) {
      return withinBucket(copy, call, (writes, backend) -> writes.copyPart(copy, backend));
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> complete(Complete complete, Call call) {
      return writing(complete, call, (writes, backend) -> writes.complete(complete, backend));
    }

    @Override
    public CompletionStage<Outcome<Aborted>> abort(Abort abort, Call call) {
      return writing(abort, call, (writes, backend) -> writes.abort(abort, backend));
    }

    @Override
    public CompletionStage<Outcome<PartPage>> listParts(ListParts list, Call call) {
      return blocking(
          list,
          call.settings(),
          backend ->
              Outcome.success(
                  backend.listParts(
                      list.key(), list.uploadId(), list.afterNumber(), list.partsMax())));
    }
  }

  /**
   * The writes of a bucket. A read may believe an entry without asking the backend, so an entry
   * that a write replaced must not come back after a loss of power.
   */
  private CachedWrites writes(BucketSettings settings) {
    return settings.freshness().mode() == Freshness.Mode.REVALIDATE ? writes : lastingWrites;
  }

  private CompletionStage<Outcome<ObjectRead>> get(Get request, BucketSettings settings) {
    boolean verify = CachedReads.isVerified(request, settings);
    if (!isServedLocally(request, request.selection())
        || !reads.isFreshAndHere(
            request.name(), request.selection(), settings.freshness(), verify)) {
      return slowGet(request, settings);
    }
    return local
        .call(request)
        .thenCompose(read -> {
          if (read instanceof Outcome.Failed<ObjectRead> failed
              && CachedReads.isLost(failed.failure())) {
            return slowGet(request, settings);
          }
          if (read instanceof Outcome.Success<ObjectRead>(ObjectRead served)) {
            reads.countHit(served.head());
          }
          return CompletableFuture.completedFuture(read);
        });
  }

  private CompletionStage<Outcome<ObjectRead>> slowGet(Get request, BucketSettings settings) {
    return blocking(request, settings, backend -> reads.get(request, backend, settings));
  }

  private CompletionStage<Outcome<ObjectHead>> head(Head request, BucketSettings settings) {
    if (request.tagged()
        || !isServedLocally(request, request.selection())
        || !reads.isFresh(request.name(), settings.freshness())) {
      return slowHead(request, settings);
    }
    return local
        .call(request)
        .thenCompose(head ->
            head instanceof Outcome.Failed<ObjectHead> failed
                    && CachedReads.isLost(failed.failure())
                ? slowHead(request, settings)
                : CompletableFuture.completedFuture(head));
  }

  private CompletionStage<Outcome<ObjectHead>> slowHead(Head request, BucketSettings settings) {
    return blocking(request, settings, backend -> reads.head(request, backend, settings));
  }

  /**
   * Whether the local target knows what is selected: only the backend knows versions and parts, and
   * whether what a stand-in has is current.
   */
  private static boolean isServedLocally(OfKey<?> request, Selection selection) {
    return request.scope().answerer() != Answerer.STAND_IN
        && request.version().isEmpty()
        && !(selection instanceof Selection.Part);
  }

  /** Drops cached objects from all disks in service; another disk has none that can be read. */
  private CompletionStage<Outcome<Evicted>> evict(Evict request) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<Evicted> steps = new ArrayList<>();
          try {
            for (DiskStore disk : disks.storesInService()) {
              steps.add(
                  new DiskEviction(disk)
                      .evict(
                          request.scope().bucket(),
                          request.prefix(),
                          request.after(),
                          request.entriesMax()));
            }
          } catch (IOException e) {
            return Outcome.failed(
                new Failure.Unavailable("Eviction failed: " + Failure.reasonOf(e) + "."));
          }
          return Outcome.success(request.merged(steps));
        },
        threads);
  }

  /** Lists the backend's objects as null versions, even if the backend keeps other versions. */
  private static VersionPage nullVersions(Backend backend, ListVersions list) throws IOException {
    ListPage page =
        backend.list(list.prefix(), list.delimiter(), list.afterKey(), list.entriesMax());
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

  /**
   * The settings of a bucket with a backend. Empty for other buckets, and for a call that the judge
   * refuses, so that the local target refuses it.
   */
  private Optional<BucketSettings> cached(CallScope scope) {
    return judge.enter(scope) instanceof Outcome.Success<Bucket> entered
            && entered.value().settings().backend().isPresent()
        ? Optional.of(entered.value().settings())
        : Optional.empty();
  }

  private interface WriteCall<T> {
    Outcome<T> on(CachedWrites writes, Backend backend) throws IOException;
  }

  private <R> CompletionStage<Outcome<R>> writing(
      TargetRequest<R> request, Call call, WriteCall<R> write) {
    CachedWrites ofBucket = writes(call.settings());
    return blocking(request, call.settings(), backend -> write.on(ofBucket, backend));
  }

  private <R> CompletionStage<Outcome<R>> withinBucket(
      Copying<R> request, Call call, WriteCall<R> copy) {
    return request.source().scope().bucket().equals(request.scope().bucket())
        ? writing(request, call, copy)
        : CompletableFuture.completedFuture(Outcome.failed(BETWEEN_BUCKETS));
  }

  /** A blocking call, which runs on its own thread. */
  private interface BackendCall<T> {
    Outcome<T> on(Backend backend) throws IOException;
  }

  private <T> CompletionStage<Outcome<T>> blocking(
      TargetRequest<?> request, BucketSettings settings, BackendCall<T> call) {
    CallContext context = request.scope().context();
    BackendSettings backend = settings.backend().orElseThrow();
    return CompletableFuture.supplyAsync(() -> call(context, backend, call), threads);
  }

  private <T> Outcome<T> call(CallContext context, BackendSettings settings, BackendCall<T> call) {
    try {
      Backend backend = backends.of(settings);
      return call.on(context.traceparent().map(backend::tracedBy).orElse(backend));
    } catch (BackendException e) {
      return Outcome.failed(e.failure());
    } catch (CallRefusedException e) {
      return Outcome.failed(e.failure());
    } catch (IOException | TruncatedUnitException e) {
      LOG.warn("Read from backend {} failed: {} ({})", settings, e.getMessage(), context);
      return Outcome.failed(new Failure.BackendFailed(0, "", String.valueOf(e.getMessage())));
    }
  }
}
