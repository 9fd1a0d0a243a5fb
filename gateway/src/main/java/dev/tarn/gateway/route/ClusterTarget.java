package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Rendezvous;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Answerer;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.ListRequest;
import dev.tarn.cluster.target.ListRequest.Evict;
import dev.tarn.cluster.target.ObjectTarget;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Copying;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.cluster.target.TargetRequest.Reading;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * All targets of the cluster as one target. The kind of a request decides which target is called:
 *
 * <ul>
 *   <li>A request about a key goes only to the key's owner in the map. But a read of a bucket with
 *       a backend goes to another member if the owner is away: that one asks the backend. It waits
 *       for the owner only if no other member answers.
 *   <li>A listing goes to all members, and fails if one is out of service. The listing of a bucket
 *       with a backend goes to any member, because the backend lists.
 *   <li>An eviction goes to all members in service.
 *   <li>A copy goes to the owner of both objects. If they have two owners, this gateway relays the
 *       bytes.
 * </ul>
 */
public final class ClusterTarget implements ObjectTarget {
  /** The key that chooses a member for a bucket's listings. */
  private static final ObjectKey LISTING = ObjectKey.of("/");

  private static final Failure NO_MAP =
      new Failure.Unavailable("This cluster has no map yet: run tarn cluster init.");

  private static final Failure NONE_SERVES = new Failure.Unavailable("No target is in service.");

  private final CurrentMap map;
  private final Function<MapTarget, ObjectTarget> targets;
  private final Predicate<BucketId> hasBackend;
  private final Refresh refresh;
  private final Executor blocking;
  private final Duration beginMax;

  /**
   * Routes requests by a map and the state of a control plane.
   *
   * @param targets the target of each member of the map: in this process or behind a relay
   * @param blocking runs the file reads of copies from an owner in this process to another owner
   * @param beginMax how long a call may wait until its target begins it
   */
  public ClusterTarget(
      CurrentMap map,
      Function<MapTarget, ObjectTarget> targets,
      ControlPlane control,
      Executor blocking,
      Duration beginMax) {
    this(
        map,
        targets,
        bucket -> control.state().hasBackend(bucket),
        control::refresh,
        blocking,
        beginMax);
  }

  /**
   * Routes requests by a map, which may arrive and change later.
   *
   * @param targets the target of each member of the map: in this process or behind a relay
   * @param hasBackend whether a bucket has a backend
   * @param refresh runs before a call that was refused as stale is repeated
   * @param blocking runs the file reads of copies from an owner in this process to another owner
   * @param beginMax how long a call may wait until its target begins it
   */
  public ClusterTarget(
      CurrentMap map,
      Function<MapTarget, ObjectTarget> targets,
      Predicate<BucketId> hasBackend,
      Refresh refresh,
      Executor blocking,
      Duration beginMax) {
    this.map = requireNonNull(map, "map is null");
    this.targets = requireNonNull(targets, "targets is null");
    this.hasBackend = requireNonNull(hasBackend, "hasBackend is null");
    this.refresh = requireNonNull(refresh, "refresh is null");
    this.blocking = requireNonNull(blocking, "blocking is null");
    this.beginMax = requireNonNull(beginMax, "beginMax is null");
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return switch (request) {
      case ListRequest<R> listing -> list(listing);
      case Copying<R> copying -> twice(current -> copy(current, copying));
      case Reading<R> reading when hasBackend.test(reading.scope().bucket()) ->
          twice(current -> toOwnerFirst(current, reading));
      case OfKey<R> withBody when request.hasBody() -> once(withBody, body);
      case OfKey<R> ofKey -> twice(current -> toOwner(current, ofKey, body));
    };
  }

  /**
   * Calls the owner once. A retry is not possible, because the body is sent while the target still
   * checks the call. After a stale refusal, the view is refreshed for the client's next call.
   */
  private <R> CompletionStage<Outcome<R>> once(OfKey<R> request, IncomingBody body) {
    CompletionStage<Outcome<R>> only = routed(current -> toOwner(current, request, body));
    return isDone(only)
        ? only
        : only.thenCompose(outcome ->
            wasStale(outcome)
                ? refresh.refresh().thenApply(refreshed -> outcome)
                : completedFuture(outcome));
  }

  /** Repeats a call that was refused because this gateway was stale. A refused call did nothing. */
  private <T> CompletionStage<Outcome<T>> twice(
      Function<Placement, CompletionStage<Outcome<T>>> call) {
    CompletionStage<Outcome<T>> first = routed(call);
    return isDone(first)
        ? first
        : first.thenCompose(outcome ->
            wasStale(outcome)
                ? refresh.refresh().thenCompose(refreshed -> routed(call))
                : completedFuture(outcome));
  }

  /** Whether the call has already succeeded, as usual for an owner in this process. */
  private static <T> boolean isDone(CompletionStage<Outcome<T>> stage) {
    return stage instanceof CompletableFuture<Outcome<T>> ready
        && ready.isDone()
        && !ready.isCompletedExceptionally()
        && ready.join() instanceof Outcome.Success;
  }

  /** Routes by the newest map. A gateway without a map refreshes its view first. */
  private <T> CompletionStage<Outcome<T>> routed(
      Function<Placement, CompletionStage<Outcome<T>>> call) {
    Optional<Placement> current = map.placement();
    return current.isPresent()
        ? call.apply(current.orElseThrow())
        : refresh
            .refresh()
            .thenCompose(refreshed ->
                map.placement().map(call).orElseGet(() -> completedFuture(Outcome.failed(NO_MAP))));
  }

  private <R> CompletionStage<Outcome<R>> toOwner(
      Placement current, OfKey<R> request, IncomingBody body) {
    MapTarget owner = current.owner(request.scope().bucket(), request.key());
    return owner.state() == MemberState.IN_SERVICE
        ? targets.apply(owner).call(under(current.map(), request), body)
        : completedFuture(Outcome.failed(outOfService(owner)));
  }

  /**
   * Reads at the owner, or at the next member in the order of rendezvous hashing. If none of them
   * answers, the read waits for the owner, like one of a bucket without a backend, and then tries
   * the others once more.
   */
  private <R> CompletionStage<Outcome<R>> toOwnerFirst(Placement current, Reading<R> request) {
    CompletionStage<Outcome<R>> first =
        toOwner(current, request.answeredBy(Answerer.OWNER_FIRST), IncomingBody.EMPTY);
    if (isDone(first)) {
      return first;
    }
    return orIfAway(first, () -> toStandIn(current, request));
  }

  private <R> CompletionStage<Outcome<R>> toStandIn(Placement current, Reading<R> request) {
    MapTarget owner = current.owner(request.scope().bucket(), request.key());
    List<MapTarget> others =
        serving(current.map()).stream().filter(member -> !member.equals(owner)).toList();
    Reading<R> waiting = request.answeredBy(Answerer.OWNER);
    if (others.isEmpty()) {
      return toOwner(current, waiting, IncomingBody.EMPTY);
    }
    Reading<R> standIn = request.answeredBy(Answerer.STAND_IN);
    return orIfAway(
        ofFirst(current.map(), others, request.key(), standIn),
        () ->
            orIfAway(
                toOwner(current, waiting, IncomingBody.EMPTY),
                () -> ofFirst(current.map(), others, request.key(), standIn)));
  }

  private static <R> CompletionStage<Outcome<R>> orIfAway(
      CompletionStage<Outcome<R>> first, Supplier<CompletionStage<Outcome<R>>> second) {
    return first.thenCompose(outcome -> wasAway(outcome) ? second.get() : completedFuture(outcome));
  }

  /** Copies at the owner of both objects, or through this gateway from one owner to the other. */
  private <R> CompletionStage<Outcome<R>> copy(Placement current, Copying<R> request) {
    CopySource source = request.source();
    MapTarget from = current.owner(source.scope().bucket(), source.key());
    MapTarget to = current.owner(request.scope().bucket(), request.key());
    if (from.id().equals(to.id())) {
      return toOwner(current, request, IncomingBody.EMPTY);
    }
    return request.by(new Relay(this::call, this, blocking));
  }

  private <R> CompletionStage<Outcome<R>> list(ListRequest<R> request) {
    if (request.entriesMax() == 0) {
      return completedFuture(Outcome.success(request.merged(List.of())));
    }
    if (request instanceof Evict) {
      return twice(current -> ofServing(current.map(), request))
          .thenApply(outcome -> outcome.map(request::merged));
    }
    return hasBackend.test(request.scope().bucket())
        ? twice(current -> ofAny(current.map(), request))
        : twice(current -> ofAll(current.map(), request))
            .thenApply(outcome -> outcome.map(request::merged));
  }

  private <R> CompletionStage<Outcome<List<R>>> ofAll(ClusterMap current, ListRequest<R> request) {
    for (MapTarget member : current.targets()) {
      if (member.state() != MemberState.IN_SERVICE) {
        return completedFuture(Outcome.failed(outOfService(member)));
      }
    }
    return ofAll(current, current.targets(), request);
  }

  private <R> CompletionStage<Outcome<List<R>>> ofServing(
      ClusterMap current, ListRequest<R> request) {
    List<MapTarget> serving = serving(current);
    return serving.isEmpty()
        ? completedFuture(Outcome.failed(NONE_SERVES))
        : ofAll(current, serving, request);
  }

  private <R> CompletionStage<Outcome<List<R>>> ofAll(
      ClusterMap current, List<MapTarget> members, ListRequest<R> request) {
    TargetRequest<R> routed = under(current, request);
    CompletionStage<Outcome<List<R>>> pages = completedFuture(Outcome.success(new ArrayList<>()));
    for (MapTarget member : members) {
      pages = pages.thenCombine(targets.apply(member).call(routed), this::withPage);
    }
    return pages;
  }

  private <R> CompletionStage<Outcome<R>> ofAny(ClusterMap current, ListRequest<R> request) {
    List<MapTarget> serving = serving(current);
    return serving.isEmpty()
        ? completedFuture(Outcome.failed(NONE_SERVES))
        : ofFirst(current, serving, LISTING, request);
  }

  private static List<MapTarget> serving(ClusterMap current) {
    return current.targets().stream()
        .filter(member -> member.state() == MemberState.IN_SERVICE)
        .toList();
  }

  /**
   * Calls the first available member in the order of rendezvous hashing. Each call has a deadline
   * of its own.
   *
   * @param key by which the members are ordered
   */
  private <R> CompletionStage<Outcome<R>> ofFirst(
      ClusterMap current, List<MapTarget> members, ObjectKey key, TargetRequest<R> request) {
    MapTarget chosen = Rendezvous.amongTargets(members).winner(request.scope().bucket(), key);
    List<MapTarget> others = members.stream().filter(member -> !member.equals(chosen)).toList();
    return targets
        .apply(chosen)
        .call(under(current, request))
        .thenCompose(outcome ->
            wasAway(outcome) && !others.isEmpty()
                ? ofFirst(current, others, key, request)
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

  private <R> TargetRequest<R> under(ClusterMap map, TargetRequest<R> request) {
    return request.at(map.epoch(), Deadline.in(beginMax));
  }

  private static boolean wasAway(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?>(Failure.Unavailable missing);
  }

  private static boolean wasStale(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?>(Failure failure)
        && (failure instanceof Failure.StaleMap || failure instanceof Failure.UnknownSettings);
  }

  private static Failure outOfService(MapTarget member) {
    return new Failure.Unavailable("The target " + member.id() + " is out of service.");
  }
}
