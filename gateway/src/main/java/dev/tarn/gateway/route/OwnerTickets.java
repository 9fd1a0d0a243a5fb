package dev.tarn.gateway.route;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Placement;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.TargetRequest.Get;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/** Issues tickets for the owner of a key in the newest map. */
public final class OwnerTickets implements ReadTickets {
  private final CurrentMap map;
  private final BiFunction<BucketId, ObjectKey, Slot.Keys> keys;
  private final Function<MapTarget, Optional<ReadPlace>> places;
  private final Predicate<MapTarget> away;
  private final Capabilities capabilities;

  /**
   * Issues tickets by a map, which may arrive and change later.
   *
   * @param keys which keys of its slot a key belongs to
   * @param places where clients read from a member; empty if they cannot
   * @param away whether a member accepts no connections or has stopped answering; reads from it go
   *     through the gateway
   * @param capabilities that the targets accept
   */
  public OwnerTickets(
      CurrentMap map,
      BiFunction<BucketId, ObjectKey, Slot.Keys> keys,
      Function<MapTarget, Optional<ReadPlace>> places,
      Predicate<MapTarget> away,
      Capabilities capabilities) {
    this.map = requireNonNull(map, "map is null");
    this.keys = requireNonNull(keys, "keys is null");
    this.places = requireNonNull(places, "places is null");
    this.away = requireNonNull(away, "away is null");
    this.capabilities = requireNonNull(capabilities, "capabilities is null");
  }

  @Override
  public Optional<Directions> directions(Get read) {
    Optional<Placement> newest = map.placement();
    if (newest.isEmpty()) {
      return Optional.empty();
    }
    BucketId bucket = read.scope().bucket();
    Placement.Place holder =
        newest.orElseThrow().of(keys.apply(bucket, read.key()), bucket, read.key());
    MapTarget owner = holder.target();
    if (owner.state() != MemberState.IN_SERVICE || away.test(owner)) {
      return Optional.empty();
    }
    Get routed = read.at(holder.since(), Deadline.NONE);
    String ticket = ReadTicket.issue(capabilities, routed).text();
    return places.apply(owner).map(place -> new Directions(place, ticket, ReadTicket.USE_MAX));
  }
}
