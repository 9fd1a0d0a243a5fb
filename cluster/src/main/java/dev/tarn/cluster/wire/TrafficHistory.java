package dev.tarn.cluster.wire;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.codec.Codec;
import dev.tarn.cluster.wire.TargetReport.Traffic;
import java.util.List;
import java.util.TreeMap;

/**
 * What was read of cached buckets over the last day. Steps without traffic are left out.
 *
 * @param minutes the last hour by minutes, in order
 * @param fiveMinutes the last day by five minutes, in order
 */
public record TrafficHistory(List<Step> minutes, List<Step> fiveMinutes) {
  /** No traffic. */
  public static final TrafficHistory NONE = new TrafficHistory(List.of(), List.of());

  /** The greatest size of an encoded history in bytes. */
  public static final int BYTES_MAX = 128 << 10;

  private static final int STEPS_MAX = 400;

  public TrafficHistory {
    minutes = List.copyOf(requireNonNull(minutes, "minutes is null"));
    fiveMinutes = List.copyOf(requireNonNull(fiveMinutes, "fiveMinutes is null"));
  }

  /**
   * A part of the time.
   *
   * @param startMs when it began, in milliseconds since 1970; a multiple of its length
   */
  public record Step(long startMs, Traffic traffic) {
    public Step {
      requireNonNull(traffic, "traffic is null");
    }

    private static final Codec<Step> CODEC =
        Codec.of(
            "traffic step",
            (out, step) -> out.number(1, step.startMs).message(2, Traffic.CODEC, step.traffic),
            in -> new Step(in.number(1), in.message(2, Traffic.CODEC)));
  }

  /**
   * The traffic of a span.
   *
   * @param steps of which those count that began in it
   * @param fromMs when it began, in milliseconds since 1970
   * @param seconds its length
   */
  public static Traffic since(List<Step> steps, long fromMs, long seconds) {
    return steps.stream()
        .filter(step -> step.startMs >= fromMs)
        .map(Step::traffic)
        .reduce(Traffic::then)
        .map(traffic -> traffic.over(seconds))
        .orElse(Traffic.NONE);
  }

  /** The sum of two, such as those of two targets. */
  public TrafficHistory plus(TrafficHistory other) {
    return new TrafficHistory(sum(minutes, other.minutes), sum(fiveMinutes, other.fiveMinutes));
  }

  private static List<Step> sum(List<Step> one, List<Step> other) {
    TreeMap<Long, Traffic> sums = new TreeMap<>();
    one.forEach(step -> sums.put(step.startMs, step.traffic));
    other.forEach(step -> sums.merge(step.startMs, step.traffic, Traffic::plus));
    return sums.entrySet().stream()
        .map(entry -> new Step(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static final Codec<TrafficHistory> CODEC =
      Codec.of(
          "traffic history",
          (out, history) ->
              out.messages(1, Step.CODEC, history.minutes)
                  .messages(2, Step.CODEC, history.fiveMinutes),
          in ->
              new TrafficHistory(
                  in.messages(1, Step.CODEC, STEPS_MAX), in.messages(2, Step.CODEC, STEPS_MAX)));

  /** Encodes the history as a message. */
  public byte[] encode() {
    return WireMessage.encode(CODEC, this);
  }

  /** Decodes the bytes of {@link #encode}. */
  public static TrafficHistory decode(byte[] bytes) throws WireException {
    return WireMessage.decode(bytes, "traffic history", CODEC);
  }
}
