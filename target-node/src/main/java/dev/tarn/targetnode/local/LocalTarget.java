package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Evicted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ListRequest.ListObjects;
import dev.tarn.cluster.target.ListRequest.ListUploads;
import dev.tarn.cluster.target.ListRequest.ListVersions;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetHandler;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
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

/**
 * The target contract in this process. The {@link CallJudge} admits a call, the key selects the
 * disk, and the handler of its request carries it out.
 */
public final class LocalTarget implements ObjectTarget, TargetHandler<IncomingBody> {
  private final CallJudge judge;
  private final NodeDisks disks;
  private final Work work;
  private final LocalReads reads;
  private final LocalWrites writes;
  private final LocalCopies copies;
  private final LocalUploads uploads;

  /**
   * A target over these disks.
   *
   * @param stepsMax how many steps may wait for workers or run
   */
  public LocalTarget(
      CallJudge judge, NodeDisks disks, ObjectReader reader, BodyWriting writing, int stepsMax) {
    this.judge = judge;
    this.disks = disks;
    this.work = new Work(writing.workers(), stepsMax);
    Sources sources = new Sources(reader.buffers());
    Commits commits = new Commits(writing.workers(), judge);
    this.reads = new LocalReads(reader, work);
    this.writes = new LocalWrites(writing, commits);
    this.copies = new LocalCopies(sources, commits, work);
    this.uploads = new LocalUploads(writing, sources, commits, work);
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return request.on(this, body);
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get get, IncomingBody body) {
    return onDisk(get, (store, bucket) -> reads.get(store, get, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head head, IncomingBody body) {
    return onDisk(head, (store, bucket) -> reads.head(store, head));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put put, IncomingBody body) {
    return withBody(body, put, (store, bucket) -> writes.put(store, put, body, bucket));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete delete, IncomingBody body) {
    return onDisk(delete, (store, bucket) -> writes.delete(store, delete, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy copy, IncomingBody body) {
    return fromDisk(copy, (from, store, bucket) -> copies.copy(from, store, copy, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags set, IncomingBody body) {
    return onDisk(set, (store, bucket) -> copies.setTags(store, set, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl set, IncomingBody body) {
    return onDisk(set, (store, bucket) -> copies.setAcl(store, set, bucket));
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects list, IncomingBody body) {
    return onAllDisks(list, stores -> ObjectListing.list(stores, list));
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions list, IncomingBody body) {
    return onAllDisks(list, stores -> VersionListing.list(stores, list));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads list, IncomingBody body) {
    return onAllDisks(list, stores -> UploadListing.list(stores, list));
  }

  @Override
  public CompletionStage<Outcome<Evicted>> evict(Evict evict, IncomingBody body) {
    return completedFuture(
        judge.enter(evict.scope()).then(bucket -> Outcome.failed(Evict.NOT_CACHED)));
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload create, IncomingBody body) {
    return onDisk(create, (store, bucket) -> uploads.create(store, create, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart put, IncomingBody body) {
    return withBody(body, put, (store, bucket) -> uploads.putPart(store, put, body, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart copy, IncomingBody body) {
    return fromDisk(copy, (from, store, bucket) -> uploads.copyPart(from, store, copy, bucket));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete complete, IncomingBody body) {
    return onDisk(complete, (store, bucket) -> uploads.complete(store, complete, bucket));
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort abort, IncomingBody body) {
    return onDisk(abort, (store, bucket) -> uploads.abort(store, abort, bucket));
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts list, IncomingBody body) {
    return onDisk(
        list,
        (store, bucket) ->
            work.onWorker(list.scope().deadline(), store, () -> UploadListing.parts(store, list)));
  }

  private <T> CompletionStage<Outcome<T>> onDisk(
      OfKey<T> request, BiFunction<DiskStore, Bucket, CompletionStage<Outcome<T>>> call) {
    return onDisk(request.scope(), request.name(), call);
  }

  private <T> CompletionStage<Outcome<T>> onDisk(
      CallScope scope,
      ObjectName name,
      BiFunction<DiskStore, Bucket, CompletionStage<Outcome<T>>> call) {
    return switch (judge.enter(scope)) {
      case Outcome.Failed<Bucket> failed -> failed(failed.failure());
      case Outcome.Success<Bucket> bucket ->
          switch (disks.storeOf(name)) {
            case Outcome.Failed<DiskStore> failed -> failed(failed.failure());
            case Outcome.Success<DiskStore> store -> call.apply(store.value(), bucket.value());
          };
    };
  }

  private <T> CompletionStage<Outcome<T>> withBody(
      IncomingBody body,
      OfKey<T> request,
      BiFunction<DiskStore, Bucket, CompletionStage<Outcome<T>>> call) {
    boolean[] taken = new boolean[1];
    CompletionStage<Outcome<T>> stage =
        onDisk(
            request,
            (store, bucket) -> {
              taken[0] = true;
              return call.apply(store, bucket);
            });
    if (!taken[0]) {
      body.bytes().subscribe(new RefusedBody());
    }
    return stage;
  }

  private interface CopyCall<T> {
    CompletionStage<Outcome<T>> apply(DiskStore from, DiskStore to, Bucket bucket);
  }

  private <T> CompletionStage<Outcome<T>> fromDisk(Copying<T> request, CopyCall<T> call) {
    CopySource source = request.source();
    return onDisk(
        request,
        (to, bucket) ->
            onDisk(
                source.scope(), source.name(), (from, ofSource) -> call.apply(from, to, bucket)));
  }

  private interface ListCall<T> {
    T apply(List<DiskStore> stores) throws IOException;
  }

  private <T> CompletionStage<Outcome<T>> onAllDisks(ListRequest<T> request, ListCall<T> call) {
    return switch (judge.enter(request.scope())) {
      case Outcome.Failed<Bucket> failed -> failed(failed.failure());
      case Outcome.Success<Bucket> bucket ->
          switch (disks.allStores()) {
            case Outcome.Failed<List<DiskStore>> failed -> failed(failed.failure());
            case Outcome.Success<List<DiskStore>>(List<DiskStore> stores) ->
                settled(bucket.value(), stores)
                    .thenCompose(settled ->
                        settled instanceof Outcome.Failed<Boolean>(Failure failure)
                            ? failed(failure)
                            : work.onWorker(
                                request.scope().deadline(),
                                stores.getFirst(),
                                () -> Outcome.success(call.apply(stores))));
          };
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

  private static <T> CompletionStage<Outcome<T>> failed(Failure failure) {
    return completedFuture(Outcome.failed(failure));
  }
}
