package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetHandler;
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
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Carries out the calls to objects on the disks of this node. The key selects the disk, and the
 * handler of the request does the rest. Each call was admitted before.
 */
public final class LocalTarget implements TargetHandler<Call> {
  private final NodeDisks disks;
  private final Work work;
  private final LocalReads reads;
  private final LocalWrites writes;
  private final LocalCopies copies;
  private final LocalUploads uploads;

  /**
   * A target over these disks.
   *
   * @param judge knows the versioning of a bucket at the commit of a change
   * @param stepsMax how many steps may wait for workers or run
   */
  public LocalTarget(
      CallJudge judge, NodeDisks disks, ObjectReader reader, BodyWriting writing, int stepsMax) {
    this.disks = disks;
    this.work = new Work(writing.workers(), stepsMax);
    Sources sources = new Sources(reader.buffers());
    Commits commits = new Commits(writing.workers(), judge);
    this.reads = new LocalReads(reader, work);
    this.writes = new LocalWrites(writing, commits);
    this.copies = new LocalCopies(sources, commits, work);
    this.uploads = new LocalUploads(writing, sources, commits, work);
  }

  /** The reads of objects whose disk and index entry are known. */
  public LocalReads reads() {
    return reads;
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get get, Call call) {
    boolean verify = LocalReads.isVerified(get, call.bucket().settings());
    return onDisk(
        get,
        call,
        store ->
            reads.get(store, LocalReads.lookUpNow(store, get.name(), get.version()), get, verify));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head head, Call call) {
    return onDisk(
        head,
        call,
        store -> reads.head(store, LocalReads.lookUpNow(store, head.name(), head.version()), head));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put put, Call call) {
    return onDisk(put, call, store -> writes.put(store, put, call.body(), call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete delete, Call call) {
    return onDisk(delete, call, store -> writes.delete(store, delete, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy copy, Call call) {
    return fromDisk(copy, call, (from, store) -> copies.copy(from, store, copy, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags set, Call call) {
    return onDisk(set, call, store -> copies.setTags(store, set, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl set, Call call) {
    return onDisk(set, call, store -> copies.setAcl(store, set, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setLock(SetLock set, Call call) {
    return onDisk(set, call, store -> copies.setLock(store, set, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects list, Call call) {
    return onAllDisks(list, call, stores -> ObjectListing.list(stores, list, disks::isHome));
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions list, Call call) {
    return onAllDisks(list, call, stores -> VersionListing.list(stores, list, disks::isHome));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads list, Call call) {
    return onAllDisks(list, call, stores -> UploadListing.list(stores, list, disks::isHome));
  }

  @Override
  public CompletionStage<Outcome<Evicted>> evict(Evict evict, Call call) {
    return call.refuse(Evict.NOT_CACHED);
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload create, Call call) {
    return onDisk(create, call, store -> uploads.create(store, create, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart put, Call call) {
    return onDisk(put, call, store -> uploads.putPart(store, put, call.body(), call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart copy, Call call) {
    return fromDisk(
        copy, call, (from, store) -> uploads.copyPart(from, store, copy, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete complete, Call call) {
    return onDisk(complete, call, store -> uploads.complete(store, complete, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort abort, Call call) {
    return onDisk(abort, call, store -> uploads.abort(store, abort, call.bucket()));
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts list, Call call) {
    return onDisk(
        list,
        call,
        store ->
            work.onWorker(list.scope().deadline(), store, () -> UploadListing.parts(store, list)));
  }

  private <T> CompletionStage<Outcome<T>> onDisk(
      OfKey<T> request, Call call, Function<DiskStore, CompletionStage<Outcome<T>>> step) {
    return switch (disks.storeOf(request.name())) {
      case Outcome.Failed<DiskStore>(Failure failure) -> call.refuse(failure);
      case Outcome.Success<DiskStore>(DiskStore store) -> step.apply(store);
    };
  }

  private <T> CompletionStage<Outcome<T>> fromDisk(
      Copying<T> request,
      Call call,
      BiFunction<DiskStore, DiskStore, CompletionStage<Outcome<T>>> step) {
    return onDisk(
        request,
        call,
        to ->
            switch (disks.storeOf(request.source().name())) {
              case Outcome.Failed<DiskStore>(Failure failure) -> call.refuse(failure);
              case Outcome.Success<DiskStore>(DiskStore from) -> step.apply(from, to);
            });
  }

  private interface ListCall<T> {
    T apply(List<DiskStore> stores) throws IOException;
  }

  private <T> CompletionStage<Outcome<T>> onAllDisks(
      ListRequest<T> request, Call call, ListCall<T> list) {
    return switch (disks.allStores()) {
      case Outcome.Failed<List<DiskStore>>(Failure failure) -> call.refuse(failure);
      case Outcome.Success<List<DiskStore>>(List<DiskStore> stores) ->
          settled(call.bucket(), stores)
              .thenCompose(settled ->
                  settled instanceof Outcome.Failed<Boolean>(Failure failure)
                      ? call.refuse(failure)
                      : work.onWorker(
                          request.scope().deadline(),
                          stores.getFirst(),
                          () -> Outcome.success(list.apply(stores))));
    };
  }

  /**
   * Waits, if the bucket is being deleted, until the commits that the disks have begun are visible.
   * The bucket is deleted if a listing shows nothing, so the listing must show every write that was
   * decided before this target knew of the deletion.
   */
  private static CompletionStage<Outcome<Boolean>> settled(Bucket bucket, List<DiskStore> stores) {
    CompletionStage<Outcome<Boolean>> all = completedFuture(Outcome.success(true));
    for (DiskStore store : bucket.deletion().isPresent() ? stores : List.<DiskStore>of()) {
      CompletionStage<Outcome<Boolean>> one =
          store
              .commit(view -> new Decision.Nothing<>(true), Durability.SYSTEM)
              .thenApply(CommitResult::outcome);
      all = all.thenCombine(one, (before, after) -> before.then(fine -> after));
    }
    return all;
  }
}
