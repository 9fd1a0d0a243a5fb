package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.DiskPlace;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.Slot;
import dev.tarn.cluster.map.SlotHolder;
import dev.tarn.cluster.map.SlotTable;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The encoding of targets, as announced and in the cluster map. */
final class MapCodec {
  private static final List<MemberState> STATES =
      List.of(MemberState.IN_SERVICE, MemberState.OUT_OF_SERVICE, MemberState.LEAVING);

  private static final Codec<TargetAddress> ADDRESS =
      Codec.of(
          "address",
          (out, address) -> out.text(1, address.host()).number(2, address.port()),
          in -> new TargetAddress(in.text(1), in.integer(2)));

  private static final Codec<AnnouncedTarget.Disk> ANNOUNCED_DISK =
      Codec.of(
          "announced disk",
          (out, disk) -> out.text(1, disk.id().value()).number(2, disk.capacityBytes()),
          in -> new AnnouncedTarget.Disk(new DiskId(in.text(1)), in.number(2)));

  /** Tag 4 was the range of wire versions. */
  static final Codec<AnnouncedTarget> ANNOUNCED =
      Codec.of(
          "announced target",
          (out, target) ->
              out.text(1, target.id().value())
                  .messages(2, ADDRESS, target.addresses())
                  .messages(3, ANNOUNCED_DISK, target.disks())
                  .flag(5, target.tls())
                  .message(6, ADDRESS, target.readAddress()),
          in ->
              new AnnouncedTarget(
                  new TargetId(in.text(1)),
                  in.messages(2, ADDRESS, AnnouncedTarget.ADDRESSES_MAX),
                  in.messages(3, ANNOUNCED_DISK, AnnouncedTarget.DISKS_MAX),
                  in.flag(5),
                  in.optionalMessage(6, ADDRESS)));

  private static final Codec<MapDisk> DISK =
      Codec.of(
          "disk",
          (out, disk) ->
              out.text(1, disk.id().value())
                  .constant(2, STATES, disk.state())
                  .number(3, disk.weight()),
          in -> new MapDisk(new DiskId(in.text(1)), in.constant(2, STATES), in.number(3)));

  private static final Codec<MapTarget> TARGET =
      Codec.of(
          "target",
          (out, target) ->
              out.text(1, target.id().value())
                  .messages(2, ADDRESS, target.addresses())
                  .constant(3, STATES, target.state())
                  .number(4, target.weight())
                  .messages(5, DISK, target.disks())
                  .number(6, target.stateEpoch(), 0)
                  .number(7, target.stateMs(), 0),
          in ->
              new MapTarget(
                  new TargetId(in.text(1)),
                  in.messages(2, ADDRESS, AnnouncedTarget.ADDRESSES_MAX),
                  in.constant(3, STATES),
                  in.number(4),
                  in.messages(5, DISK, AnnouncedTarget.DISKS_MAX),
                  in.number(6, 0),
                  in.number(7, 0)));

  /** The tag 3 is required: older releases place keys in another way. */
  static final Codec<ClusterMap> MAP =
      Codec.of(
          "cluster map",
          (out, map) -> {
            DiskNumbers disks = new DiskNumbers(map.targets());
            out.number(1, map.epoch()).messages(2, TARGET, map.targets());
            for (Slot slot : map.slots().all()) {
              out.required(3).message(3, disks.slot(), slot);
            }
          },
          in -> {
            long epoch = in.number(1);
            List<MapTarget> targets = in.messages(2, TARGET, ClusterMap.TARGETS_MAX);
            Codec<Slot> slot = new DiskNumbers(targets).slot();
            return new ClusterMap(epoch, targets, new SlotTable(in.messages(3, slot, Slot.COUNT)));
          });

  /** The numbers of the disks in the order of a map: slots name disks by them. */
  private static final class DiskNumbers {
    private static final int NONE = 0;

    private final List<DiskPlace> places;
    private final Map<DiskPlace, Integer> numbers = new HashMap<>();

    DiskNumbers(List<MapTarget> targets) {
      places =
          targets.stream()
              .flatMap(target ->
                  target.disks().stream().map(disk -> new DiskPlace(target.id(), disk.id())))
              .toList();
      for (int i = 0; i < places.size(); i++) {
        numbers.put(places.get(i), i + 1);
      }
    }

    private int number(DiskPlace place) {
      return requireNonNull(numbers.get(place), "the map has the disk");
    }

    private DiskPlace place(int number) {
      if (number < 1 || number > places.size()) {
        throw new IllegalArgumentException(
            "a slot names disk " + number + " of " + places.size() + " disks");
      }
      return places.get(number - 1);
    }

    Codec<Slot> slot() {
      return Codec.of(
          "slot",
          (out, slot) ->
              out.number(1, number(slot.home().place()))
                  .number(2, slot.home().since())
                  .number(3, slot.destination().map(this::number).orElse(NONE), NONE)
                  .number(4, number(slot.owner().place()))
                  .number(5, slot.owner().since())
                  .number(
                      6, slot.taker().map(SlotHolder::place).map(this::number).orElse(NONE), NONE)
                  .number(7, slot.taker().map(SlotHolder::since).orElse(0L), 0),
          in -> {
            SlotHolder home = new SlotHolder(place(in.integer(1)), in.number(2));
            Optional<DiskPlace> destination = optionalPlace(in.integer(3, NONE));
            SlotHolder owner = new SlotHolder(place(in.integer(4)), in.number(5));
            Optional<DiskPlace> taker = optionalPlace(in.integer(6, NONE));
            long takerSince = in.number(7, 0);
            return new Slot(
                home, destination, owner, taker.map(place -> new SlotHolder(place, takerSince)));
          });
    }

    private Optional<DiskPlace> optionalPlace(int number) {
      return number == NONE ? Optional.empty() : Optional.of(place(number));
    }
  }

  private MapCodec() {}
}
