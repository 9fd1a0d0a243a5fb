package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;
import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.ControlPlane;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Placement.Place;
import dev.tarn.cluster.map.Rendezvous;
import dev.tarn.cluster.map.Slot;
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
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All targets of the cluster as one target. The kind of a request decides which target is called:
 *
 * <ul>
 *   <li>A request about a key goes only to the target that has the key's slot. But a read of a
 *       bucket with a backend goes to another member if the owner is away: that one asks the
 *       backend. It waits for the owner only if no other member answers.
 *   <li>A listing goes to all members that have primary slots, and fails if one is out of service,
 *       unless the caller takes a partial page. The listing of a bucket with a backend goes to any
 *       member, because the backend lists.
 *   <li>An eviction goes to all members in service.
 *   <li>A copy goes to the owner of both objects. If they have two owners, this gateway relays the
 *       bytes.
 * </ul>
 */
public final class ClusterTarget implements ObjectTarget {
  /** The key that chooses a member for a bucket's listings. */
  private static final ObjectKey LISTING = ObjectKey.of("/");

  /** The map may change again between a refusal and the repetition. */
  private static final int REPETITIONS_MAX = 3;

  private static final Failure NO_MAP =
      new Failure.Unavailable("This cluster has no map yet: run tarn cluster init.");

  private static final Failure NONE_SERVES = new Failure.Unavailable("No target is in service.");

  private final CurrentMap map;
  private final Function<MapTarget, ObjectTarget> targets;
  private final BiFunction<BucketId, ObjectKey, Slot.Keys> keys;
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
        (bucket, key) -> control.state().keysOf(bucket, key),
        control::refresh,
        blocking,
        beginMax);
  }

  /**
   * Routes requests by a map, which may arrive and change later.
   *
   * @param targets the target of each member of the map: in this process or behind a relay
   * @param keys which keys of its slot a key belongs to
   * @param refresh runs before a call that was refused as stale is repeated
   * @param blocking runs the file reads of copies from an owner in this process to another owner
   * @param beginMax how long a call may wait until its target begins it
   */
  public ClusterTarget(
      CurrentMap map,
      Function<MapTarget, ObjectTarget> targets,
      BiFunction<BucketId, ObjectKey, Slot.Keys> keys,
      Refresh refresh,
      Executor blocking,
      Duration beginMax) {
    this.map = requireNonNull(map, "map is null");
    this.targets = requireNonNull(targets, "targets is null");
    this.keys = requireNonNull(keys, "keys is null");
    this.refresh = requireNonNull(refresh, "refresh is null");
    this.blocking = requireNonNull(blocking, "blocking is null");
    this.beginMax = requireNonNull(beginMax, "beginMax is null");
  }

  @Override
  public <R> CompletionStage<Outcome<R>> call(TargetRequest<R> request, IncomingBody body) {
    return switch (request) {
      case ListRequest<R> listing -> list(listing);
      case Copying<R> copying -> repeated(current -> copy(current, copying));
      case Reading<R> reading when isCached(reading) ->
          repeated(current -> toOwnerFirst(current, reading));
      case OfKey<R> withBody when request.hasBody() -> once(withBody, body);
      case OfKey<R> ofKey -> repeated(current -> toOwner(current, ofKey, body));
    };
  }

  private boolean isCached(OfKey<?> request) {
    return keys.apply(request.scope().bucket(), request.key()) != Slot.Keys.PRIMARY;
  }

  private boolean isCached(ListRequest<?> request) {
    return keys.apply(request.scope().bucket(), LISTING) != Slot.Keys.PRIMARY;
  }

  private Place place(Placement current, BucketId bucket, ObjectKey key) {
    return current.of(keys.apply(bucket, key), bucket, key);
  }

  private Place place(Placement current, OfKey<?> request) {
    return place(current, request.scope().bucket(), request.key());
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
  private <T> CompletionStage<Outcome<T>> repeated(
      Function<Placement, CompletionStage<Outcome<T>>> call) {
    return repeated(call, REPETITIONS_MAX);
  }

  private <T> CompletionStage<Outcome<T>> repeated(
      Function<Placement, CompletionStage<Outcome<T>>> call, int repetitionsMax) {
    CompletionStage<Outcome<T>> first = routed(call);
    return isDone(first) || repetitionsMax == 0
        ? first
        : first.thenCompose(outcome ->
            wasStale(outcome)
                ? refresh.refresh().thenCompose(refreshed -> repeated(call, repetitionsMax - 1))
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
    Place owner = place(current, request);
    return owner.target().state() == MemberState.IN_SERVICE
        ? targets.apply(owner.target()).call(since(owner.since(), request), body)
        : completedFuture(Outcome.failed(outOfService(owner.target())));
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
    Place owner = place(current, request);
    List<MapTarget> others =
        serving(current.map()).stream().filter(member -> !member.equals(owner.target())).toList();
    Reading<R> waiting = request.answeredBy(Answerer.OWNER);
    if (others.isEmpty()) {
      return toOwner(current, waiting, IncomingBody.EMPTY);
    }
    Reading<R> standIn = request.answeredBy(Answerer.STAND_IN);
    int slot = Slot.of(request.scope().bucket(), request.key());
    return orIfAway(
        ofFirst(others, slot, owner.since(), standIn),
        () ->
            orIfAway(
                toOwner(current, waiting, IncomingBody.EMPTY),
                () -> ofFirst(others, slot, owner.since(), standIn)));
  }

  private static <R> CompletionStage<Outcome<R>> orIfAway(
      CompletionStage<Outcome<R>> first, Supplier<CompletionStage<Outcome<R>>> second) {
    return first.thenCompose(outcome -> wasAway(outcome) ? second.get() : completedFuture(outcome));
  }

  /** Copies at the owner of both objects, or through this gateway from one owner to the other. */
  private <R> CompletionStage<Outcome<R>> copy(Placement current, Copying<R> request) {
    CopySource source = request.source();
    Place from = place(current, source.scope().bucket(), source.key());
    Place to = place(current, request);
    if (from.target().id().equals(to.target().id())) {
      return toOwner(current, request.from(source.since(from.since())), IncomingBody.EMPTY);
    }
    return request.by(new Relay(this::call, this, blocking));
  }

  private <R> CompletionStage<Outcome<R>> list(ListRequest<R> request) {
    if (request.entriesMax() == 0) {
      return completedFuture(Outcome.success(request.merged(List.of())));
    }
    if (request instanceof Evict) {
      return repeated(current -> ofServing(current.map(), request))
          .thenApply(outcome -> outcome.map(request::merged));
    }
    return isCached(request)
        ? repeated(current -> ofAny(current.map(), request))
        : request.scope().answerer() == Answerer.WHO_IS_THERE
            ? repeated(current -> ofThoseThere(current, request))
            : repeated(current -> ofAll(current, request))
                .thenApply(outcome -> outcome.map(request::merged));
  }

  /** The pages of all targets that have keys of buckets without a backend. */
  private <R> CompletionStage<Outcome<List<R>>> ofAll(Placement current, ListRequest<R> request) {
    for (MapTarget member : current.homes()) {
      if (!member.serves()) {
        return completedFuture(Outcome.failed(outOfService(member)));
      }
    }
    return ofAll(current.map(), current.homes(), request);
  }

  /** The page of the targets that are there, marked if others have keys too. */
  private <R> CompletionStage<Outcome<R>> ofThoseThere(Placement current, ListRequest<R> request) {
    List<MapTarget> serving = current.homes().stream().filter(MapTarget::serves).toList();
    CompletionStage<Outcome<List<R>>> pages = completedFuture(Outcome.success(new ArrayList<>()));
    for (MapTarget member : serving) {
      pages =
          pages.thenCombine(
              ofAll(current.map(), List.of(member), request),
              (gathered, one) ->
                  wasAway(one) ? gathered : gathered.then(all -> one.map(page -> plus(all, page))));
    }
    return pages.thenApply(outcome ->
        outcome.then(all ->
            all.isEmpty()
                ? Outcome.failed(NONE_SERVES)
                : Outcome.success(
                    all.size() == current.homes().size()
                        ? request.merged(all)
                        : request.mergedInPart(all))));
  }

  private static <P> List<P> plus(List<P> pages, List<P> more) {
    return Stream.concat(pages.stream(), more.stream()).toList();
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
    TargetRequest<R> routed = since(sinceOfAny(current, request), request);
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
        : ofFirst(
            serving,
            Slot.of(request.scope().bucket(), LISTING),
            sinceOfAny(current, request),
            request);
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
   * @param slot by which the members are ordered
   */
  private <R> CompletionStage<Outcome<R>> ofFirst(
      List<MapTarget> members, int slot, long since, TargetRequest<R> request) {
    MapTarget chosen = Rendezvous.amongTargets(members).winner(slot);
    List<MapTarget> others = members.stream().filter(member -> !member.equals(chosen)).toList();
    return targets
        .apply(chosen)
        .call(since(since, request))
        .thenCompose(outcome ->
            wasAway(outcome) && !others.isEmpty()
                ? ofFirst(others, slot, since, request)
                : completedFuture(outcome));
  }

  private <P> Outcome<List<P>> withPage(Outcome<List<P>> pages, Outcome<P> page) {
    return pages.then(gathered -> page.map(one -> plus(gathered, List.of(one))));
  }

  /** The epoch in which any slot changed that concerns a request to all targets. */
  private long sinceOfAny(ClusterMap map, ListRequest<?> request) {
    return isCached(request) ? map.slots().ownersSince() : map.slots().homesSince();
  }

  private <R> TargetRequest<R> since(long since, TargetRequest<R> request) {
    return request.at(since, Deadline.in(beginMax));
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
