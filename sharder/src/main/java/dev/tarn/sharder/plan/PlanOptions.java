package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.HeaderEncoder;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How files become shards: together with the files themselves, all that a plan depends on.
 *
 * @param pattern the shards' names
 * @param maximumCount of samples in a shard, if bounded
 * @param maximumSize of a shard, in uncompressed tar bytes
 * @param order of the samples
 * @param dots what is done about keys with dots
 * @param time of every member, in seconds since 1970
 */
public record PlanOptions(
    ShardPattern pattern,
    OptionalLong maximumCount,
    long maximumSize,
    Order order,
    Dots dots,
    long time) {
  private static final long USUAL_SIZE = 256L * 1024 * 1024;

  private static final String PATTERN = "pattern";
  private static final String MAXIMUM_COUNT = "max_count";
  private static final String MAXIMUM_SIZE = "max_size";
  private static final String ORDER = "order";
  private static final String SEED = "seed";
  private static final String DOTS = "dots";
  private static final String TIME = "time";

  public PlanOptions {
    requireNonNull(pattern, "pattern is null");
    requireNonNull(maximumCount, "maximumCount is null");
    requireNonNull(order, "order is null");
    requireNonNull(dots, "dots is null");
    if (maximumSize <= 0 || maximumCount.orElse(1) <= 0) {
      throw new IllegalArgumentException("a shard's bounds are positive");
    }
  }

  /** Options that are the usual ones until they are set. */
  public static Builder builder() {
    return new Builder();
  }

  /** The options by name, each as text: what the plan and the manifest say of them. */
  public SortedMap<String, String> texts() {
    SortedMap<String, String> map = new TreeMap<>();
    map.put(PATTERN, pattern.text());
    maximumCount.ifPresent(count -> map.put(MAXIMUM_COUNT, Long.toString(count)));
    map.put(MAXIMUM_SIZE, Long.toString(maximumSize));
    map.put(ORDER, Texts.of(order.kind()));
    if (order.kind() == Order.Kind.SHUFFLE) {
      map.put(SEED, Long.toString(order.seed()));
    }
    map.put(DOTS, Texts.of(dots));
    map.put(TIME, Long.toString(time));
    return map;
  }

  /**
   * The options that a map names.
   *
   * @throws IllegalArgumentException if one is unknown, missing or wrong
   */
  static PlanOptions of(Map<String, String> map) {
    Map<String, String> left = new TreeMap<>(map);
    Builder builder = builder();
    builder.pattern(new ShardPattern(take(left, PATTERN)));
    if (left.containsKey(MAXIMUM_COUNT)) {
      builder.maximumCount(Long.parseLong(take(left, MAXIMUM_COUNT)));
    }
    builder.maximumSize(Long.parseLong(take(left, MAXIMUM_SIZE)));
    Order.Kind kind = Texts.parse(Order.Kind.class, take(left, ORDER));
    long seed = kind == Order.Kind.SHUFFLE ? Long.parseLong(take(left, SEED)) : 0;
    builder.order(new Order(kind, seed));
    builder.dots(Texts.parse(Dots.class, take(left, DOTS)));
    builder.time(Long.parseLong(take(left, TIME)));
    if (!left.isEmpty()) {
      throw new IllegalArgumentException("unknown options " + left.keySet());
    }
    return builder.build();
  }

  private static String take(Map<String, String> map, String name) {
    return requireNonNull(map.remove(name), name);
  }

  /** Sets options one by one. */
  public static final class Builder {
    private ShardPattern pattern = new ShardPattern("shard-%06d.tar");
    private OptionalLong maximumCount = OptionalLong.empty();
    private long maximumSize = USUAL_SIZE;
    private Order order = Order.BY_KEY;
    private Dots dots = Dots.KEEP;
    private long time = HeaderEncoder.DEFAULT_TIME;

    private Builder() {}

    public Builder pattern(ShardPattern names) {
      pattern = names;
      return this;
    }

    public Builder maximumCount(long samples) {
      maximumCount = OptionalLong.of(samples);
      return this;
    }

    public Builder maximumSize(long bytes) {
      maximumSize = bytes;
      return this;
    }

    public Builder order(Order samples) {
      order = samples;
      return this;
    }

    public Builder dots(Dots policy) {
      dots = policy;
      return this;
    }

    public Builder time(long seconds) {
      time = seconds;
      return this;
    }

    /** The options; checked. */
    public PlanOptions build() {
      return new PlanOptions(pattern, maximumCount, maximumSize, order, dots, time);
    }
  }
}
