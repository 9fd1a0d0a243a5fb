package dev.tarn.gateway.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.capability.Capabilities;
import dev.tarn.cluster.capability.ClusterSecrets;
import dev.tarn.cluster.capability.ReadTicket;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.CurrentMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.CallContext;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.wire.WireException;
import dev.tarn.gateway.route.ReadTickets.ReadPlace;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

final class OwnerTicketsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Get READ =
      new Get(
          new CallScope(new BucketId(1), 2, 0, CallContext.UNNAMED),
          ObjectKey.of("k"),
          Optional.empty(),
          Selection.WHOLE,
          Preconditions.NONE);

  private final CurrentMap map = new CurrentMap();
  private boolean silent;
  private Function<TargetAddress, Optional<ReadPlace>> place =
      address -> Optional.of(ReadPlace.plain(address));
  private final Capabilities capabilities =
      new Capabilities(ClusterSecrets.of(new byte[32]), () -> NOW);
  private final OwnerTickets tickets =
      new OwnerTickets(
          map,
          (bucket, key) -> Slot.Keys.PRIMARY,
          member -> place.apply(member.addresses().get(0)),
          member -> silent,
          capabilities);

  private static List<MapTarget> only(String host, MemberState state) {
    return List.of(
        new MapTarget(
            new TargetId("t"),
            List.of(new TargetAddress(host, 9002)),
            state,
            1,
            List.of(new MapDisk(new DiskId("d"), MemberState.IN_SERVICE, 1))));
  }

  @Test
  void ticketIsForTheOwnerUnderTheNewestMap() throws WireException {
    ClusterMap first = ClusterMap.first(only("old", MemberState.IN_SERVICE));
    map.offer(first);
    map.offer(first.successor(only("new", MemberState.IN_SERVICE)));

    ReadTickets.Directions directions = tickets.directions(READ).orElseThrow();
    ReadTicket ticket = ReadTicket.parse(directions.ticket());

    assertThat(directions.place().url()).isEqualTo(URI.create("http://new:9002/tarn/v1/object"));
    assertThat(ticket.read().scope().since()).isEqualTo(2);
    assertThat(ticket.refuse(capabilities)).isEmpty();
    assertThat(directions.use()).isLessThan(ReadTicket.LIFETIME);
  }

  @Test
  void ownerWithTlsIsReadFromOverHttpsUnderTheAuthoritiesThatVouchForIt() {
    map.offer(ClusterMap.first(only("host", MemberState.IN_SERVICE)));
    place = address -> Optional.of(ReadPlace.secured(address, "AUTHORITY"));

    ReadPlace given = tickets.directions(READ).orElseThrow().place();

    assertThat(given.url()).isEqualTo(URI.create("https://host:9002/tarn/v1/object"));
    assertThat(given.authorities()).hasValue("AUTHORITY");
  }

  @Test
  void ownerWithoutAPlaceForReadsIsReadFromByTheGateway() {
    map.offer(ClusterMap.first(only("host", MemberState.IN_SERVICE)));
    place = address -> Optional.empty();

    assertThat(tickets.directions(READ)).isEmpty();
  }

  @Test
  void addressOfTheSixthVersionStandsInBrackets() {
    map.offer(ClusterMap.first(only("fd00::7", MemberState.IN_SERVICE)));

    assertThat(tickets.directions(READ).orElseThrow().place().url().getAuthority())
        .isEqualTo("[fd00::7]:9002");
  }

  @Test
  void withoutAMapOrAnOwnerInServiceThereIsNoTicket() {
    assertThat(tickets.directions(READ)).isEmpty();
    map.offer(ClusterMap.first(only("t", MemberState.OUT_OF_SERVICE)));
    assertThat(tickets.directions(READ)).isEmpty();
  }

  @Test
  void silentOwnerIsNotReadFromDirectly() {
    map.offer(ClusterMap.first(only("t", MemberState.IN_SERVICE)));
    silent = true;
    assertThat(tickets.directions(READ)).isEmpty();
    silent = false;
    assertThat(tickets.directions(READ)).isPresent();
  }

  @Test
  void ticketIsNotShownWhereDirectionsArePrinted() {
    map.offer(ClusterMap.first(only("t", MemberState.IN_SERVICE)));
    ReadTickets.Directions directions = tickets.directions(READ).orElseThrow();

    assertThat(directions.toString()).doesNotContain(directions.ticket());
  }
}
