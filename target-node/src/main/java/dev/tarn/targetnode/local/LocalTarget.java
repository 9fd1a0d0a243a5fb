package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Copying;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Evict;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.Listing;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadRequest.Abort;
import dev.tarn.cluster.target.UploadRequest.Complete;
import dev.tarn.cluster.target.UploadRequest.CopyPart;
import dev.tarn.cluster.target.UploadRequest.ListParts;
import dev.tarn.cluster.target.UploadRequest.PutPart;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;

/**
 * The target contract in this process. The {@link CallJudge} admits a call, the key selects the
 * disk, and the handler of its request carries it out.
 */
public final class LocalTarget implements ObjectTarget {
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
    return switch (request) {
      case Get get ->
          get.answer(request, onDisk(get, (store, bucket) -> reads.get(store, get, bucket)));
      case Head head ->
          head.answer(request, onDisk(head, (store, bucket) -> reads.head(store, head)));
      case Put put ->
          put.answer(
              request,
              withBody(body, put, (store, bucket) -> writes.put(store, put, body, bucket)));
      case Delete delete ->
          delete.answer(
              request, onDisk(delete, (store, bucket) -> writes.delete(store, delete, bucket)));
      case Copy copy ->
          copy.answer(
              request,
              fromDisk(copy, (from, store, bucket) -> copies.copy(from, store, copy, bucket)));
      case SetTags set ->
          set.answer(request, onDisk(set, (store, bucket) -> copies.setTags(store, set, bucket)));
      case SetAcl set ->
          set.answer(request, onDisk(set, (store, bucket) -> copies.setAcl(store, set, bucket)));
      case ListObjects list ->
          list.answer(request, onAllDisks(list, stores -> ObjectListing.list(stores, list)));
      case ListVersions list ->
          list.answer(request, onAllDisks(list, stores -> VersionListing.list(stores, list)));
      case ListUploads list ->
          list.answer(request, onAllDisks(list, stores -> UploadListing.list(stores, list)));
      case Evict evict ->
          evict.answer(
              request,
              CompletableFuture.completedFuture(
                  judge.enter(evict.scope()).then(bucket -> Outcome.failed(Evict.NOT_CACHED))));
      case CreateUpload create ->
          create.answer(
              request, onDisk(create, (store, bucket) -> uploads.create(store, create, bucket)));
      case PutPart put ->
          put.answer(
              request,
              withBody(body, put, (store, bucket) -> uploads.putPart(store, put, body, bucket)));
      case CopyPart copy ->
          copy.answer(
              request,
              fromDisk(copy, (from, store, bucket) -> uploads.copyPart(from, store, copy, bucket)));
      case Complete complete ->
          complete.answer(
              request,
              onDisk(complete, (store, bucket) -> uploads.complete(store, complete, bucket)));
      case Abort abort ->
          abort.answer(
              request, onDisk(abort, (store, bucket) -> uploads.abort(store, abort, bucket)));
      case ListParts list ->
          list.answer(
              request,
              onDisk(
                  list,
                  (store, bucket) ->
                      work.onWorker(
                          list.scope().deadline(), store, () -> UploadListing.parts(store, list))));
    };
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

  private <T> CompletionStage<Outcome<T>> onAllDisks(Listing<T> request, ListCall<T> call) {
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
