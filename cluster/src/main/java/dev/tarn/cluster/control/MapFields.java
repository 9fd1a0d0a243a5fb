package dev.tarn.cluster.control;

import static dev.tarn.cluster.control.ValueFields.readAll;
import static dev.tarn.cluster.control.ValueFields.readText;
import static dev.tarn.cluster.control.ValueFields.writeAll;
import static dev.tarn.cluster.control.ValueFields.writeText;

import dev.tarn.cluster.map.ClusterMap;
import dev.tarn.cluster.map.DiskId;
import dev.tarn.cluster.map.MapDisk;
import dev.tarn.cluster.map.MapTarget;
import dev.tarn.cluster.map.MemberState;
import dev.tarn.cluster.map.TargetAddress;
import dev.tarn.cluster.map.TargetId;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Optional;

/** The fields of targets: as they announced themselves, and as the cluster map has them. */
final class MapFields {
  private MapFields() {}

  static void writeAnnounced(DataOutputStream out, AnnouncedTarget target) throws IOException {
    writeText(out, target.id().value());
    writeAll(out, target.addresses(), MapFields::writeAddress);
    writeAll(
        out,
        target.disks(),
        (to, disk) -> {
          writeText(to, disk.id().value());
          to.writeLong(disk.capacityBytes());
        });
  }

  static AnnouncedTarget readAnnounced(DataInputStream in) throws IOException {
    return new AnnouncedTarget(
        new TargetId(readText(in)),
        readAll(in, MapFields::readAddress),
        readAll(in, from -> new AnnouncedTarget.Disk(new DiskId(readText(from)), from.readLong())));
  }

  /** A map, with the one before it where that is known. */
  static void writeMap(DataOutputStream out, ClusterMap map) throws IOException {
    out.writeLong(map.epoch());
    writeAll(out, map.targets(), MapFields::writeTarget);
    out.writeBoolean(map.previous().isPresent());
    if (map.previous().isPresent()) {
      writeMap(out, map.previous().orElseThrow());
    }
  }

  static ClusterMap readMap(DataInputStream in) throws IOException {
    return readMap(in, true);
  }

  private static ClusterMap readMap(DataInputStream in, boolean mayHavePrevious)
      throws IOException {
    long epoch = in.readLong();
    var targets = readAll(in, MapFields::readTarget);
    boolean hasPrevious = in.readBoolean();
    if (hasPrevious && !mayHavePrevious) {
      throw new IOException("the map before the map of a state has one before it, too");
    }
    return new ClusterMap(
        epoch, targets, hasPrevious ? Optional.of(readMap(in, false)) : Optional.empty());
  }

  private static void writeTarget(DataOutputStream out, MapTarget target) throws IOException {
    writeText(out, target.id().value());
    writeAll(out, target.addresses(), MapFields::writeAddress);
    writeState(out, target.state());
    out.writeLong(target.weight());
    writeAll(out, target.disks(), MapFields::writeDisk);
  }

  private static MapTarget readTarget(DataInputStream in) throws IOException {
    return new MapTarget(
        new TargetId(readText(in)),
        readAll(in, MapFields::readAddress),
        readState(in),
        in.readLong(),
        readAll(in, MapFields::readDisk));
  }

  private static void writeDisk(DataOutputStream out, MapDisk disk) throws IOException {
    writeText(out, disk.id().value());
    writeState(out, disk.state());
    out.writeLong(disk.weight());
  }

  private static MapDisk readDisk(DataInputStream in) throws IOException {
    return new MapDisk(new DiskId(readText(in)), readState(in), in.readLong());
  }

  private static void writeAddress(DataOutputStream out, TargetAddress address) throws IOException {
    writeText(out, address.host());
    out.writeShort(address.port());
  }

  private static TargetAddress readAddress(DataInputStream in) throws IOException {
    return new TargetAddress(readText(in), in.readUnsignedShort());
  }

  private static void writeState(DataOutputStream out, MemberState state) throws IOException {
    out.writeByte(
        switch (state) {
          case IN_SERVICE -> 0;
          case OUT_OF_SERVICE -> 1;
        });
  }

  private static MemberState readState(DataInputStream in) throws IOException {
    return ValueFields.oneOf(
        "member state", in.readUnsignedByte(), MemberState.IN_SERVICE, MemberState.OUT_OF_SERVICE);
  }
}
