package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
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

    private static final Codec<Disk> CODEC =
        Codec.of(
            "disk",
            (out, disk) ->
                out.text(1, disk.id)
                    .text(2, disk.state)
                    .number(3, disk.capacityBytes)
                    .number(4, disk.freeBytes),
            in -> new Disk(in.text(1), in.text(2), in.number(3), in.number(4)));
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

    private static final Codec<Scrub> CODEC =
        Codec.of(
            "scrub",
            (out, scrub) ->
                out.flag(1, scrub.running)
                    .number(2, scrub.startedMs)
                    .number(3, scrub.objects)
                    .number(4, scrub.bytes)
                    .texts(5, scrub.corrupt)
                    .number(6, scrub.corruptCount)
                    .texts(7, scrub.unchecked),
            in ->
                new Scrub(
                    in.flag(1),
                    in.number(2),
                    in.number(3),
                    in.number(4),
                    in.texts(5),
                    in.number(6),
                    in.texts(7)));
  }

  private static final Codec<TargetReport> CODEC =
      Codec.of(
          "target report",
          (out, report) ->
              out.text(1, report.targetId)
                  .messages(2, Disk.CODEC, report.disks)
                  .message(3, Scrub.CODEC, report.scrub),
          in ->
              new TargetReport(
                  in.text(1), in.messages(2, Disk.CODEC), in.optionalMessage(3, Scrub.CODEC)));

  /** The report as bytes. */
  public byte[] encode() {
    return WireMessage.encode(CODEC, this);
  }

  /** The report that {@link #encode} wrote. */
  public static TargetReport decode(byte[] bytes) throws WireException {
    return WireMessage.decode(bytes, "target report", CODEC);
  }
}
