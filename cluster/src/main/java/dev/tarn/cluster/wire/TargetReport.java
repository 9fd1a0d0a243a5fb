package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * How a target fares, as it tells gateways.
 *
 * @param targetId whose report it is
 * @param disks all that it has
 * @param scrub the round under way or the last one; empty when there was none since the start
 */
public record TargetReport(String targetId, List<Disk> disks, Optional<Scrub> scrub) {
  /** The greatest number of bytes of an encoded report. */
  public static final int BYTES_MAX = 1 << 20;

  private static final int FORMAT_VERSION = 1;

  public TargetReport {
    requireNonNull(targetId, "targetId is null");
    disks = List.copyOf(requireNonNull(disks, "disks is null"));
    requireNonNull(scrub, "scrub is null");
  }

  /**
   * A disk.
   *
   * @param id stored on the disk
   * @param state in service, or why not
   * @param capacityBytes of its file system
   * @param freeBytes of its file system
   */
  public record Disk(String id, String state, long capacityBytes, long freeBytes) {
    public Disk {
      requireNonNull(id, "id is null");
      requireNonNull(state, "state is null");
    }

    private static void write(WireWriter out, Disk disk) {
      out.writeText(disk.id);
      out.writeText(disk.state);
      out.writeLong(disk.capacityBytes);
      out.writeLong(disk.freeBytes);
    }

    private static Disk read(WireReader in) throws WireException {
      return new Disk(in.readText(), in.readText(), in.readLong(), in.readLong());
    }
  }

  /**
   * What a round has found so far.
   *
   * @param running whether it is under way
   * @param startedMs in milliseconds since 1970
   * @param objects how many were checked
   * @param bytes how many were read
   * @param corrupt the first of those that failed, named for people
   * @param corruptCount how many failed in all
   * @param unchecked what the round left out and why
   */
  public record Scrub(
      boolean running,
      long startedMs,
      long objects,
      long bytes,
      List<String> corrupt,
      long corruptCount,
      List<String> unchecked) {
    public Scrub {
      corrupt = List.copyOf(requireNonNull(corrupt, "corrupt is null"));
      unchecked = List.copyOf(requireNonNull(unchecked, "unchecked is null"));
    }

    private static void write(WireWriter out, Scrub scrub) {
      out.writeBoolean(scrub.running);
      out.writeLong(scrub.startedMs);
      out.writeLong(scrub.objects);
      out.writeLong(scrub.bytes);
      out.writeAll(scrub.corrupt, WireWriter::writeText);
      out.writeLong(scrub.corruptCount);
      out.writeAll(scrub.unchecked, WireWriter::writeText);
    }

    private static Scrub read(WireReader in) throws WireException {
      return new Scrub(
          in.readBoolean(),
          in.readLong(),
          in.readLong(),
          in.readLong(),
          in.readAll(WireReader::readText),
          in.readLong(),
          in.readAll(WireReader::readText));
    }
  }

  /** The report as bytes. */
  public byte[] encode() {
    WireWriter out = new WireWriter();
    out.writeByte(FORMAT_VERSION);
    out.writeText(targetId);
    out.writeAll(disks, Disk::write);
    out.writeOptional(scrub, Scrub::write);
    return out.toByteArray();
  }

  /** The report that {@link #encode} wrote. */
  public static TargetReport decode(byte[] bytes) throws WireException {
    WireReader in = new WireReader(bytes);
    int version = in.readByte();
    if (version != FORMAT_VERSION) {
      throw in.at("format version of a report is " + version + ", known here is " + FORMAT_VERSION);
    }
    TargetReport report =
        new TargetReport(in.readText(), in.readAll(Disk::read), in.readOptional(Scrub::read));
    in.expectEnd();
    return report;
  }
}
