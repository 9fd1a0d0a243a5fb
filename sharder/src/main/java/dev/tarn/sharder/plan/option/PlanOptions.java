package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.shard.tar.HeaderEncoder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;

/**
 * How files become shards: together with the files themselves, all that a plan depends on.
 *
 * @param groupBy how names part into key and extension, if not by WebDataset's rule
 * @param dots what is done about keys with dots
 * @param labelFrom where samples' labels come from
 * @param requirement what every sample should have
 * @param order of the samples
 * @param splits into which the samples are parted; none if they are not
 * @param routes to shards of other names than the pattern's; the first that matches counts
 * @param pattern the shards' names
 * @param maximumCount of samples in a shard, if bounded
 * @param maximumSize of a shard, in uncompressed tar bytes
 * @param compression of the shards
 * @param time of every member, in seconds since 1970
 * @param onError what an error in a file or sample does
 * @param errorsMax how many errors may be skipped
 */
public record PlanOptions(
    Optional<KeyPattern> groupBy,
    Dots dots,
    LabelFrom labelFrom,
    Requirement requirement,
    Order order,
    List<Split> splits,
    List<Route> routes,
    ShardPattern pattern,
    OptionalLong maximumCount,
    long maximumSize,
    ShardCompression compression,
    long time,
    OnError onError,
    long errorsMax) {
  public PlanOptions {
    requireNonNull(groupBy, "groupBy is null");
    requireNonNull(dots, "dots is null");
    requireNonNull(labelFrom, "labelFrom is null");
    requireNonNull(requirement, "requirement is null");
    requireNonNull(order, "order is null");
    splits = List.copyOf(splits);
    routes = List.copyOf(routes);
    requireNonNull(pattern, "pattern is null");
    requireNonNull(maximumCount, "maximumCount is null");
    requireNonNull(compression, "compression is null");
    requireNonNull(onError, "onError is null");
    if (maximumSize <= 0 || maximumCount.orElse(1) <= 0) {
      throw new IllegalArgumentException("a shard's bounds are positive");
    }
    if (errorsMax < 0) {
      throw new IllegalArgumentException("errorsMax is " + errorsMax);
    }
  }

  /** Options that are the usual ones until they are set. */
  public static Builder builder() {
    return new Builder();
  }

  /** Those that are not the usual ones by name, as text: what plan and manifest say of them. */
  public SortedMap<String, String> texts() {
    return PlanOptionTexts.of(this);
  }

  /** Sets options one by one. */
  public static final class Builder {
    private static final long USUAL_SIZE = 256L * 1024 * 1024;

    private Optional<KeyPattern> groupBy = Optional.empty();
    private Dots dots = Dots.KEEP;
    private LabelFrom labelFrom = LabelFrom.NONE;
    private Requirement requirement = Requirement.NONE;
    private Order order = Order.BY_KEY;
    private List<Split> splits = List.of();
    private List<Route> routes = List.of();
    private ShardPattern pattern = new ShardPattern("shard-%06d.tar");
    private OptionalLong maximumCount = OptionalLong.empty();
    private long maximumSize = USUAL_SIZE;
    private ShardCompression compression = ShardCompression.NONE;
    private long time = HeaderEncoder.DEFAULT_TIME;
    private OnError onError = OnError.ABORT;
    private long errorsMax;

    private Builder() {}

    public Builder groupBy(KeyPattern keys) {
      groupBy = Optional.of(keys);
      return this;
    }

    public Builder dots(Dots policy) {
      dots = policy;
      return this;
    }

    public Builder labelFrom(LabelFrom labels) {
      labelFrom = labels;
      return this;
    }

    public Builder requirement(Requirement everySample) {
      requirement = everySample;
      return this;
    }

    public Builder order(Order samples) {
      order = samples;
      return this;
    }

    public Builder splits(List<Split> parts) {
      splits = parts;
      return this;
    }

    public Builder routes(List<Route> others) {
      routes = others;
      return this;
    }

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

    public Builder compression(ShardCompression method) {
      compression = method;
      return this;
    }

    public Builder time(long seconds) {
      time = seconds;
      return this;
    }

    public Builder onError(OnError policy) {
      onError = policy;
      return this;
    }

    public Builder errorsMax(long errors) {
      errorsMax = errors;
      return this;
    }

    /** The options; checked. */
    public PlanOptions build() {
      return new PlanOptions(
          groupBy,
          dots,
          labelFrom,
          requirement,
          order,
          splits,
          routes,
          pattern,
          maximumCount,
          maximumSize,
          compression,
          time,
          onError,
          errorsMax);
    }
  }
}
