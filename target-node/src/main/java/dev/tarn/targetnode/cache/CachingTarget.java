package dev.tarn.targetnode.cache;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.CacheRule;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.BucketId;
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
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.OutdatedKey;
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
import dev.tarn.cluster.target.TargetRequest.SetLock;
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
import dev.tarn.targetnode.local.Call;
import dev.tarn.targetnode.local.LocalReads;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.index.Lookup;
import dev.tarn.targetnode.store.space.DiskEviction;
import dev.tarn.transport.body.DirectBuffers;
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
 * Carries out the calls to buckets with a backend. A cached read whose bytes are on the disk and
 * fresh is served on the caller's thread; other calls go to the backend, each on a thread of its
 * own. Each call was admitted before.
 */
public final class CachingTarget implements TargetHandler<Call> {
  private static final Logger LOG = LoggerFactory.getLogger(CachingTarget.class);

  private static final Failure NO_ACLS =
      new Failure.InvalidRequest(
          "ACL cannot be set: objects of a bucket with a backend have no ACL of their own.");
  private static final Failure NO_LOCKS =
      new Failure.InvalidRequest(
          "Object lock cannot be set: set it on the backend of the bucket, which keeps versions.");
  private static final Failure MOVED_MEANWHILE =
      new Failure.Unavailable(
          "Outcome of the write is unknown: the key moved to another target, or the bucket was"
              + " removed, before the backend answered; read the object, then write again.");
  private static final Failure BETWEEN_BUCKETS =
      new Failure.InvalidRequest(
          "Copy failed: a bucket with a backend copies only within itself; read the source and put"
              + " it instead.");

  private final CallJudge judge;
  private final LocalReads local;
  private final Backends backends;
  private final NodeDisks disks;
  private final CacheMeters meters;
  private final Executor threads;
  private final CacheEntries entries;
  private final CachedReads reads;
  private final CachedWrites writes;
  private final CachedWrites lastingWrites;

  /**
   * A caching target.
   *
   * @param local reads the objects on the disks
   * @param judge says which slots this target has
   * @param buffers for verifying blocks and for bodies
   * @param threads runs each task on its own virtual thread
   */
  public CachingTarget(
      CallJudge judge,
      LocalReads local,
      Backends backends,
      NodeDisks disks,
      CacheMeters meters,
      DirectBuffers buffers,
      InstantSource clock,
      Executor threads) {
    this.judge = judge;
    this.local = local;
    this.backends = backends;
    this.disks = disks;
    this.meters = meters;
    this.threads = threads;
    this.entries = new CacheEntries(name -> storeOf(disks, name), clock, judge::ownedSince);
    UnitFetches fetches = new UnitFetches(entries, meters, threads);
    PageReads pages = new PageReads(entries, fetches, meters);
    CacheMisses misses = new CacheMisses(entries, fetches, pages, meters);
    FirstBytes firstBytes = new FirstBytes(entries, fetches, pages);
    CurrentObjects objects = new CurrentObjects(entries, misses, firstBytes, meters, clock);
    this.reads = new CachedReads(local, entries, fetches, pages, objects, meters, buffers, threads);
    KnownUploads uploads = new KnownUploads();
    this.writes = new CachedWrites(entries, uploads, clock, Durability.SYSTEM);
    this.lastingWrites = new CachedWrites(entries, uploads, clock, Durability.DEVICE);
  }

  private static DiskStore storeOf(NodeDisks disks, ObjectName name) {
    return switch (disks.storeOf(name)) {
      case Outcome.Success<DiskStore> store -> store.value();
      case Outcome.Failed<DiskStore> failed -> throw new CallRefusedException(failed.failure());
    };
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get get, Call call) {
    BucketSettings settings = call.bucket().settings();
    if (!isServedLocally(get, get.selection(), settings)) {
      return slowGet(get, call, new Lookup.WouldWait());
    }
    return switch (disks.storeOf(get.name())) {
      case Outcome.Failed<DiskStore>(Failure failure) -> call.refuse(failure);
      case Outcome.Success<DiskStore>(DiskStore store) -> {
        Lookup lookup = LocalReads.lookUpNow(store, get.name(), Optional.empty());
        boolean verify = LocalReads.isVerified(get, settings);
        Freshness freshness = settings.freshness(get.key());
        if (!reads.isFreshAndHere(store, lookup, get.selection(), freshness, verify)) {
          yield slowGet(get, call, lookup);
        }
        yield local
            .get(store, lookup, get, verify)
            .thenCompose(read -> {
              if (read instanceof Outcome.Failed<ObjectRead>(Failure failure)
                  && KeptBytes.areLost(failure)) {
                return slowGet(get, call, new Lookup.WouldWait());
              }
              if (read instanceof Outcome.Success<ObjectRead>(ObjectRead served)) {
                reads.countHit(served.head());
              }
              return completedFuture(read);
            });
      }
    };
  }

  private CompletionStage<Outcome<ObjectRead>> slowGet(Get get, Call call, Lookup lookup) {
    BucketSettings settings = call.bucket().settings();
    return blocking(get, call, backend -> reads.get(get, lookup, backend, settings));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head head, Call call) {
    BucketSettings settings = call.bucket().settings();
    if (!isServedLocally(head, head.selection(), settings)) {
      return slowHead(head, call, new Lookup.WouldWait());
    }
    return switch (disks.storeOf(head.name())) {
      case Outcome.Failed<DiskStore>(Failure failure) -> call.refuse(failure);
      case Outcome.Success<DiskStore>(DiskStore store) -> {
        Lookup lookup = LocalReads.lookUpNow(store, head.name(), Optional.empty());
        yield head.tagged() || !reads.isFresh(lookup, settings.freshness(head.key()))
            ? slowHead(head, call, lookup)
            : local.head(store, lookup, head);
      }
    };
  }

  private CompletionStage<Outcome<ObjectHead>> slowHead(Head head, Call call, Lookup lookup) {
    BucketSettings settings = call.bucket().settings();
    return blocking(head, call, backend -> reads.head(head, lookup, backend, settings));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put put, Call call) {
    boolean isKept = !isBypassed(put, call.bucket().settings());
    return changing(put, call, (writes, backend) -> writes.put(put, call.body(), backend, isKept));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete delete, Call call) {
    return changing(delete, call, (writes, backend) -> writes.delete(delete, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy copy, Call call) {
    return withinBucket(copy, call)
        .orElseGet(() -> changing(copy, call, (writes, backend) -> writes.copy(copy, backend)));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags set, Call call) {
    return writing(set, call, (writes, backend) -> writes.setTags(set, backend));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl set, Call call) {
    return call.refuse(NO_ACLS);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setLock(SetLock set, Call call) {
    return call.refuse(NO_LOCKS);
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects list, Call call) {
    return blocking(
        list,
        call,
        backend ->
            Outcome.success(
                backend.list(list.prefix(), list.delimiter(), list.after(), list.entriesMax())));
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions list, Call call) {
    return blocking(list, call, backend -> Outcome.success(nullVersions(backend, list)));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads list, Call call) {
    return blocking(list, call, backend -> Outcome.success(backend.listUploads(list)));
  }

  /** Drops cached objects from all disks in service; another disk has none that can be read. */
  @Override
  public CompletionStage<Outcome<Evicted>> evict(Evict request, Call call) {
    return CompletableFuture.supplyAsync(
        () -> {
          List<Evicted> steps = new ArrayList<>();
          letReadsKeepNothing(request);
          try {
            for (DiskStore disk : disks.storesInService()) {
              steps.add(evict(request, new DiskEviction(disk)));
            }
          } catch (IOException e) {
            return Outcome.failed(
                new Failure.Unavailable("Eviction failed: " + Failure.reasonOf(e) + "."));
          }
          return Outcome.success(request.merged(steps));
        },
        threads);
  }

  private static Evicted evict(Evict request, DiskEviction disk) throws IOException {
    BucketId bucket = request.scope().bucket();
    return request.keys().isEmpty()
        ? disk.evict(bucket, request.prefix(), request.after(), request.entriesMax())
        : disk.evict(bucket, request.keys());
  }

  /** The backend may have answered reads that are under way before its objects changed. */
  private void letReadsKeepNothing(Evict request) {
    if (request.keys().isEmpty()) {
      entries.generations().advanceAll();
    }
    for (OutdatedKey outdated : request.keys()) {
      entries.generations().advance(new ObjectName(request.scope().bucket(), outdated.key()));
    }
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
    return withinBucket(copy, call)
        .orElseGet(() -> writing(copy, call, (writes, backend) -> writes.copyPart(copy, backend)));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete complete, Call call) {
    return changing(complete, call, (writes, backend) -> writes.complete(complete, backend));
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort abort, Call call) {
    return writing(abort, call, (writes, backend) -> writes.abort(abort, backend));
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts list, Call call) {
    return blocking(
        list,
        call,
        backend ->
            Outcome.success(
                backend.listParts(
                    list.key(), list.uploadId(), list.afterNumber(), list.partsMax())));
  }

  /**
   * The writes of a bucket. A read may believe an entry without asking the backend, so an entry
   * that a write replaced must not come back after a loss of power.
   */
  private CachedWrites writes(BucketSettings settings) {
    return settings.mayServeWithoutAsking() ? lastingWrites : writes;
  }

  /**
   * Whether the local target may know what is selected: only the backend knows versions and parts,
   * what a stand-in has is not current for sure, and nothing is kept of what bypasses the cache.
   */
  private static boolean isServedLocally(
      OfKey<?> request, Selection selection, BucketSettings settings) {
    return request.scope().answerer() != Answerer.STAND_IN
        && request.version().isEmpty()
        && !(selection instanceof Selection.Part)
        && !isBypassed(request, settings);
  }

  /** Whether the object is neither read from the cache, nor kept there. */
  static boolean isBypassed(OfKey<?> request, BucketSettings settings) {
    return settings.cacheRules().mode(request.key()) == CacheRule.Mode.BYPASS;
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
              object.checksums(),
              object.checksumType(),
              object.storageClass());
    };
  }

  private interface WriteCall<T> {
    Outcome<T> on(CachedWrites writes, Backend backend) throws IOException;
  }

  private <R> CompletionStage<Outcome<R>> writing(
      TargetRequest<R> request, Call call, WriteCall<R> write) {
    CachedWrites ofBucket = writes(call.bucket().settings());
    return blocking(request, call, backend -> write.on(ofBucket, backend));
  }

  /**
   * A write that replaces or removes an object. If the key has moved meanwhile, its new target may
   * answer with what it knew before: then the write must not be reported as done.
   */
  private <R> CompletionStage<Outcome<R>> changing(
      OfKey<R> request, Call call, WriteCall<R> write) {
    return writing(
        request,
        call,
        (writes, backend) ->
            write
                .on(writes, backend)
                .then(done ->
                    judge.refusalAtCommit(request).isPresent()
                        ? Outcome.failed(MOVED_MEANWHILE)
                        : Outcome.success(done)));
  }

  private static <R> Optional<CompletionStage<Outcome<R>>> withinBucket(
      Copying<R> request, Call call) {
    return request.source().scope().bucket().equals(request.scope().bucket())
        ? Optional.empty()
        : Optional.of(call.refuse(BETWEEN_BUCKETS));
  }

  /** A blocking call, which runs on its own thread. */
  private interface BackendCall<T> {
    Outcome<T> on(Backend backend) throws IOException;
  }

  private <T> CompletionStage<Outcome<T>> blocking(
      TargetRequest<?> request, Call call, BackendCall<T> step) {
    BackendSettings backend = call.bucket().settings().backend().orElseThrow();
    return CompletableFuture.supplyAsync(() -> run(request.scope(), backend, step), threads);
  }

  private <T> Outcome<T> run(CallScope scope, BackendSettings settings, BackendCall<T> step) {
    CallContext context = scope.context();
    try {
      Backend backend = backends.of(settings).heardBy(meters.fetches(scope.bucket()));
      return step.on(context.traceparent().map(backend::tracedBy).orElse(backend));
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
