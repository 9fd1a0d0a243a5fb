package dev.tarn.cluster.control;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.util.List;

/** The encoding of targets, as announced and in the cluster map. */
final class MapCodec {
  private static final List<MemberState> STATES =
      List.of(MemberState.IN_SERVICE, MemberState.OUT_OF_SERVICE);

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
                  .messages(5, DISK, target.disks()),
          in ->
              new MapTarget(
                  new TargetId(in.text(1)),
                  in.messages(2, ADDRESS, AnnouncedTarget.ADDRESSES_MAX),
                  in.constant(3, STATES),
                  in.number(4),
                  in.messages(5, DISK, AnnouncedTarget.DISKS_MAX)));

  static final Codec<ClusterMap> MAP =
      Codec.of(
          "cluster map",
          (out, map) -> out.number(1, map.epoch()).messages(2, TARGET, map.targets()),
          in -> new ClusterMap(in.number(1), in.messages(2, TARGET, ClusterMap.TARGETS_MAX)));

  private MapCodec() {}
}
