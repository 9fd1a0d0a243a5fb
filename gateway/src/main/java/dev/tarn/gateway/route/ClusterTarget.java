package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Rendezvous;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListPage;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.PartPage;
import dev.tarn.cluster.target.TargetRequest;
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
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.PutPart;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.cluster.target.UploadPage;
import dev.tarn.cluster.target.VersionPage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * All targets of the cluster as one. A key's calls go to the owner that the map gives it, and to
 * nobody else, in service or not; listings are merged of all members, and fail where one is
 * missing, but those of a bucket with a backend are the backend's, which any member can ask. A call
 * whose owner is in this process is passed on as it is.
 */
public final class ClusterTarget implements ObjectTarget {
  /** Stands for a bucket's listings where members are chosen by key. */
  private static final ObjectKey LISTING = ObjectKey.of("/");

  private static final Failure NO_MAP =
      new Failure.Unavailable("This cluster has no map yet: run tarn cluster init.");

  private final CurrentPlacement placement;
  private final Function<MapTarget, ObjectTarget> targets;
  private final Predicate<BucketId> hasBackend;
  private final Refresh refresh;
  private final Executor blocking;

  /**
   * Routes over a map, which may come and change later.
   *
   * @param targets the way to each member of the map
   * @param hasBackend whether a bucket's listings are its backend's
   * @param refresh what is done before a call that met old knowledge is tried again
   * @param blocking runs the file reads of copies from one owner in this process to another
   */
  public ClusterTarget(
      CurrentMap map,
      Function<MapTarget, ObjectTarget> targets,
      Predicate<BucketId> hasBackend,
      Refresh refresh,
      Executor blocking) {
    this.placement = new CurrentPlacement(map);
    this.targets = requireNonNull(targets, "targets is null");
    this.hasBackend = requireNonNull(hasBackend, "hasBackend is null");
    this.refresh = requireNonNull(refresh, "refresh is null");
    this.blocking = requireNonNull(blocking, "blocking is null");
  }

  @Override
  public CompletionStage<Outcome<ObjectRead>> get(Get request) {
    return route(request, ObjectTarget::get);
  }

  @Override
  public CompletionStage<Outcome<ObjectHead>> head(Head request) {
    return route(request, ObjectTarget::head);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> put(Put request, IncomingBody body) {
    return withBody(request, (target, routed) -> target.put(routed, body));
  }

  @Override
  public CompletionStage<Outcome<Deleted>> delete(Delete request) {
    return route(request, ObjectTarget::delete);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> copy(Copy request) {
    return fromSource(
        request, request.source(), ObjectTarget::copy, (relay, routed) -> relay.copy(routed));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setTags(SetTags request) {
    return route(request, ObjectTarget::setTags);
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> setAcl(SetAcl request) {
    return route(request, ObjectTarget::setAcl);
  }

  @Override
  public CompletionStage<Outcome<ListPage>> listObjects(ListObjects request) {
    if (request.entriesMax() == 0) {
      return completedFuture(Outcome.success(new ListPage(List.of(), false)));
    }
    if (hasBackend.test(request.scope().bucket())) {
      return ofAny(request, ObjectTarget::listObjects);
    }
    return ofAll(request, ObjectTarget::listObjects)
        .thenApply(
            outcome -> outcome.map(pages -> MergedListing.objects(pages, request.entriesMax())));
  }

  @Override
  public CompletionStage<Outcome<VersionPage>> listVersions(ListVersions request) {
    if (request.entriesMax() == 0) {
      return completedFuture(Outcome.success(new VersionPage(List.of(), false)));
    }
    if (hasBackend.test(request.scope().bucket())) {
      return ofAny(request, ObjectTarget::listVersions);
    }
    return ofAll(request, ObjectTarget::listVersions)
        .thenApply(
            outcome -> outcome.map(pages -> MergedListing.versions(pages, request.entriesMax())));
  }

  @Override
  public CompletionStage<Outcome<String>> createUpload(CreateUpload request) {
    return route(request, ObjectTarget::createUpload);
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> putPart(PutPart request, IncomingBody body) {
    return withBody(request, (target, routed) -> target.putPart(routed, body));
  }

  @Override
  public CompletionStage<Outcome<ObjectPart>> copyPart(CopyPart request) {
    return fromSource(
        request,
        request.source(),
        ObjectTarget::copyPart,
        (relay, routed) -> relay.copyPart(routed));
  }

  @Override
  public CompletionStage<Outcome<ObjectMetadata>> complete(Complete request) {
    return route(request, ObjectTarget::complete);
  }

  @Override
  public CompletionStage<Outcome<Aborted>> abort(Abort request) {
    return route(request, ObjectTarget::abort);
  }

  @Override
  public CompletionStage<Outcome<PartPage>> listParts(ListParts request) {
    return route(request, ObjectTarget::listParts);
  }

  @Override
  public CompletionStage<Outcome<UploadPage>> listUploads(ListUploads request) {
    if (request.uploadsMax() == 0) {
      return completedFuture(Outcome.success(new UploadPage(List.of(), false)));
    }
    if (hasBackend.test(request.scope().bucket())) {
      return ofAny(request, ObjectTarget::listUploads);
    }
    return ofAll(request, ObjectTarget::listUploads)
        .thenApply(
            outcome -> outcome.map(pages -> MergedListing.uploads(pages, request.uploadsMax())));
  }

  /** To the owner, and once more where old knowledge was in the way: such a call did nothing. */
  private <R extends TargetRequest.OfKey, T> CompletionStage<Outcome<T>> route(
      R request, BiFunction<ObjectTarget, R, CompletionStage<Outcome<T>>> call) {
    return twice(current -> toOwner(current, request, call));
  }

  /**
   * Once, as the body flows while the target still judges the call. The caller's next try meets
   * newer knowledge.
   */
  private <R extends TargetRequest.OfKey, T> CompletionStage<Outcome<T>> withBody(
      R request, BiFunction<ObjectTarget, R, CompletionStage<Outcome<T>>> call) {
    CompletionStage<Outcome<T>> only = routed(current -> toOwner(current, request, call));
    return isDone(only)
        ? only
        : only.thenCompose(outcome ->
            metOldKnowledge(outcome)
                ? refresh.refresh().thenApply(refreshed -> outcome)
                : completedFuture(outcome));
  }

  private <T> CompletionStage<Outcome<T>> twice(
      Function<Placement, CompletionStage<Outcome<T>>> call) {
    CompletionStage<Outcome<T>> first = routed(call);
    return isDone(first)
        ? first
        : first.thenCompose(outcome ->
            metOldKnowledge(outcome)
                ? refresh.refresh().thenCompose(refreshed -> routed(call))
                : completedFuture(outcome));
  }

  /** Whether it has succeeded already, as calls do whose owner is in this process. */
  private static <T> boolean isDone(CompletionStage<Outcome<T>> stage) {
    return stage instanceof CompletableFuture<Outcome<T>> ready
        && ready.isDone()
        && !ready.isCompletedExceptionally()
        && ready.join() instanceof Outcome.Success;
  }

  /** By the present map; a gateway that has none asks for it first. */
  private <T> CompletionStage<Outcome<T>> routed(
      Function<Placement, CompletionStage<Outcome<T>>> call) {
    Placement current = placement.get();
    return current != null
        ? call.apply(current)
        : refresh
            .refresh()
            .thenCompose(refreshed -> {
              Placement first = placement.get();
              return first == null ? completedFuture(Outcome.failed(NO_MAP)) : call.apply(first);
            });
  }

  private <R extends TargetRequest.OfKey, T> CompletionStage<Outcome<T>> toOwner(
      Placement current, R request, BiFunction<ObjectTarget, R, CompletionStage<Outcome<T>>> call) {
    MapTarget owner = current.owner(request.scope().bucket(), request.key());
    return owner.state() == MemberState.IN_SERVICE
        ? call.apply(targets.apply(owner), Rescoped.at(current.map().epoch(), request))
        : completedFuture(Outcome.failed(outOfService(owner)));
  }

  private <R extends TargetRequest.OfKey, T> CompletionStage<Outcome<T>> fromSource(
      R request,
      CopySource source,
      BiFunction<ObjectTarget, R, CompletionStage<Outcome<T>>> local,
      BiFunction<Relay, R, CompletionStage<Outcome<T>>> relayed) {
    return twice(current -> {
      MapTarget from = current.owner(source.scope().bucket(), source.key());
      if (from.id().equals(current.owner(request.scope().bucket(), request.key()).id())) {
        return toOwner(current, request, local);
      }
      if (from.state() != MemberState.IN_SERVICE) {
        return completedFuture(Outcome.failed(outOfService(from)));
      }
      return toOwner(
          current,
          request,
          (to, routed) -> relayed.apply(new Relay(targets.apply(from)::get, to, blocking), routed));
    });
  }

  private <R extends TargetRequest, P> CompletionStage<Outcome<List<P>>> ofAll(
      R request, BiFunction<ObjectTarget, R, CompletionStage<Outcome<P>>> call) {
    return twice(current -> ofAll(current.map(), request, call));
  }

  private <R extends TargetRequest, P> CompletionStage<Outcome<List<P>>> ofAll(
      ClusterMap current,
      R request,
      BiFunction<ObjectTarget, R, CompletionStage<Outcome<P>>> call) {
    R routed = Rescoped.at(current.epoch(), request);
    for (MapTarget member : current.targets()) {
      if (member.state() != MemberState.IN_SERVICE) {
        return completedFuture(Outcome.failed(outOfService(member)));
      }
    }
    CompletionStage<Outcome<List<P>>> pages = completedFuture(Outcome.success(new ArrayList<>()));
    for (MapTarget member : current.targets()) {
      pages = pages.thenCombine(call.apply(targets.apply(member), routed), this::withPage);
    }
    return pages;
  }

  private <R extends TargetRequest, P> CompletionStage<Outcome<P>> ofAny(
      R request, BiFunction<ObjectTarget, R, CompletionStage<Outcome<P>>> call) {
    return twice(current -> {
      List<MapTarget> serving =
          current.map().targets().stream()
              .filter(member -> member.state() == MemberState.IN_SERVICE)
              .toList();
      return serving.isEmpty()
          ? completedFuture(Outcome.failed(new Failure.Unavailable("No target is in service.")))
          : ofFirst(serving, Rescoped.at(current.map().epoch(), request), call);
    });
  }

  /** Of the bucket's first member that is there; the others follow in the order that HRW gives. */
  private <R extends TargetRequest, P> CompletionStage<Outcome<P>> ofFirst(
      List<MapTarget> members,
      R routed,
      BiFunction<ObjectTarget, R, CompletionStage<Outcome<P>>> call) {
    MapTarget chosen = Rendezvous.amongTargets(members).winner(routed.scope().bucket(), LISTING);
    List<MapTarget> others = members.stream().filter(member -> !member.equals(chosen)).toList();
    return call.apply(targets.apply(chosen), routed)
        .thenCompose(outcome ->
            outcome instanceof Outcome.Failed<P>(Failure.Unavailable missing) && !others.isEmpty()
                ? ofFirst(others, routed, call)
                : completedFuture(outcome));
  }

  private <P> Outcome<List<P>> withPage(Outcome<List<P>> pages, Outcome<P> page) {
    return pages.then(gathered ->
        page.map(one -> {
          List<P> more = new ArrayList<>(gathered);
          more.add(one);
          return more;
        }));
  }

  private static boolean metOldKnowledge(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?>(Failure failure)
        && (failure instanceof Failure.StaleMap || failure instanceof Failure.UnknownSettings);
  }

  private static Failure outOfService(MapTarget member) {
    return new Failure.Unavailable("The target " + member.id() + " is out of service.");
  }
}
