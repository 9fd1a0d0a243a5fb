package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest.Abort;
import dev.tarn.cluster.target.TargetRequest.Complete;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopyPart;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.CreateUpload;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.ListObjects;
import dev.tarn.cluster.target.TargetRequest.ListParts;
import dev.tarn.cluster.target.TargetRequest.ListUploads;
import dev.tarn.cluster.target.TargetRequest.ListVersions;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.PutPart;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import dev.tarn.targetnode.BucketRules;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * The target contract in this process. Each call is let in by the {@link CallGate}, finds the disk
 * that has its key, and is then carried out by the class that is named after it.
 */
public final class LocalTarget implements ObjectTarget {
  private final CallGate gate;
  private final NodeDisks disks;
  private final Work work;
  private final Reads reads;
  private final Writes writes;
  private final Copies copies;
  private final Uploads uploads;

  /**
   * A target over these disks.
   *
   * @param stepsMax how many steps on workers may be waiting or under way
   */
  public LocalTarget(
      CallGate gate, NodeDisks disks, ObjectReader reader, BodyWriting writing, int stepsMax) {
    this.gate = gate;
    this.disks = disks;
    this.work = new Work(writing.workers(), stepsMax);
    Sources sources = new Sources(reader.buffers());
    Commits commits = new Commits(writing.workers(), gate);
    this.reads = new Reads(reader, work);
    this.writes = new Writes(writing, commits);
    this.copies = new Copies(sources, commits, work);
    this.uploads = new Uploads(writing, sources, commits, work);
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request) {
    return onDisk(request, (store, rules) -> reads.get(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head request) {
    return onDisk(request, (store, rules) -> reads.head(store, request));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body) {
    return withBody(body, request, (store, rules) -> writes.put(store, request, body, rules));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete request) {
    return onDisk(request, (store, rules) -> writes.delete(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return onDisk(
        request,
        (store, rules) ->
            fromSource(request.source(), from -> copies.copy(from, store, request, rules)));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request) {
    return onDisk(request, (store, rules) -> copies.setTags(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request) {
    return onDisk(request, (store, rules) -> copies.setAcl(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects request) {
    return onAllDisks(
        request.scope(),
        stores ->
            work.onWorker(
                stores.getFirst(), () -> Outcome.success(ObjectListing.list(stores, request))));
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request) {
    return onAllDisks(
        request.scope(),
        stores ->
            work.onWorker(
                stores.getFirst(), () -> Outcome.success(VersionListing.list(stores, request))));
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload request) {
    return onDisk(request, (store, rules) -> uploads.create(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body) {
    return withBody(body, request, (store, rules) -> uploads.putPart(store, request, body, rules));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    return onDisk(
        request,
        (store, rules) ->
            fromSource(request.source(), from -> uploads.copyPart(from, store, request, rules)));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete request) {
    return onDisk(request, (store, rules) -> uploads.complete(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort request) {
    return onDisk(request, (store, rules) -> uploads.abort(store, request, rules));
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts request) {
    return onDisk(
        request, (store, rules) -> work.onWorker(store, () -> UploadListing.parts(store, request)));
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request) {
    return onAllDisks(
        request.scope(),
        stores ->
            work.onWorker(
                stores.getFirst(), () -> Outcome.success(UploadListing.list(stores, request))));
  }

  private <T> CompletionStage<Outcome<T>> onDisk(
      OfKey request, BiFunction<DiskStore, BucketRules, CompletionStage<Outcome<T>>> call) {
    return switch (gate.enter(request.scope())) {
      case Outcome.Failed<BucketRules> failed -> failed(failed.failure());
      case Outcome.Success<BucketRules> rules ->
          switch (disks.storeOf(request.name())) {
            case Outcome.Failed<DiskStore> failed -> failed(failed.failure());
            case Outcome.Success<DiskStore> store -> call.apply(store.value(), rules.value());
          };
    };
  }

  private <T> CompletionStage<Outcome<T>> withBody(
      IncomingBody body,
      OfKey request,
      BiFunction<DiskStore, BucketRules, CompletionStage<Outcome<T>>> call) {
    boolean[] taken = new boolean[1];
    CompletionStage<Outcome<T>> stage =
        onDisk(
            request,
            (store, rules) -> {
              taken[0] = true;
              return call.apply(store, rules);
            });
    if (!taken[0]) {
      body.bytes().subscribe(new Refusal());
    }
    return stage;
  }

  private <T> CompletionStage<Outcome<T>> fromSource(
      CopySource source, Function<DiskStore, CompletionStage<Outcome<T>>> call) {
    return switch (gate.enter(source.scope())) {
      case Outcome.Failed<BucketRules> failed -> failed(failed.failure());
      case Outcome.Success<BucketRules> rules ->
          switch (disks.storeOf(new ObjectName(source.scope().bucket(), source.key()))) {
            case Outcome.Failed<DiskStore> failed -> failed(failed.failure());
            case Outcome.Success<DiskStore> store -> call.apply(store.value());
          };
    };
  }

  private <T> CompletionStage<Outcome<T>> onAllDisks(
      CallScope scope, Function<List<DiskStore>, CompletionStage<Outcome<T>>> call) {
    return switch (gate.enter(scope)) {
      case Outcome.Failed<BucketRules> failed -> failed(failed.failure());
      case Outcome.Success<BucketRules> rules ->
          switch (disks.allStores()) {
            case Outcome.Failed<List<DiskStore>> failed -> failed(failed.failure());
            case Outcome.Success<List<DiskStore>> stores -> call.apply(stores.value());
          };
    };
  }

  private static <T> CompletionStage<Outcome<T>> failed(Failure failure) {
    return completedFuture(Outcome.failed(failure));
  }
}
