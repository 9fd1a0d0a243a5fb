package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.shard.tar.HeaderEncoder;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.stream.Stream;

/**
 * The options of a plan. A plan depends only on them and on the files.
 *
 * @param groupBy separates names into key and extension; absent for WebDataset's rule
 * @param dots the policy for names with several dots
 * @param prefixBy what is put before the names of files
 * @param reserved the policy for extensions that readers need themselves
 * @param lowerCaseExtensions whether extensions are put into lower case
 * @param hidden whether hidden files are packed
 * @param labelFrom the origin of the samples' labels
 * @param requirement what every sample should have
 * @param order of the samples
 * @param splits of the samples; empty if they are not split
 * @param routes to shards with another pattern of names; the first route that matches applies
 * @param pattern of the shards' names
 * @param maximumCount of samples in a shard, if limited
 * @param maximumSize of a shard, in bytes of uncompressed tar
 * @param compression of the shards
 * @param time of every member, in seconds since 1970
 * @param onError what an error in a file or sample does
 * @param errorsMax the maximum number of skipped errors
 */
public record PlanOptions(
    Optional<KeyPattern> groupBy,
    Dots dots,
    PrefixBy prefixBy,
    Reserved reserved,
    boolean lowerCaseExtensions,
    boolean hidden,
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
    requireNonNull(prefixBy, "prefixBy is null");
    requireNonNull(reserved, "reserved is null");
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
    if (labelFrom == LabelFrom.ARCHIVE && prefixBy != PrefixBy.ARCHIVE) {
      throw new IllegalArgumentException("--label-from archive needs --prefix-by archive");
    }
    if (errorsMax < 0) {
      throw new IllegalArgumentException("errorsMax is " + errorsMax);
    }
  }

  /** Returns a builder with the default options. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Returns the options as named texts, for plan and manifest. Most options with default values are
   * left out.
   */
  public SortedMap<String, String> texts() {
    return PlanOptionTexts.of(this);
  }

  /** Returns whether a shard of these patterns and splits can have a name, if compressed or not. */
  public boolean isShardName(String name) {
    String plain = name.replaceFirst("\\.(?:gz|zst)$", "");
    List<String> folders =
        splits.isEmpty() ? List.of("") : splits.stream().map(split -> split.name() + "/").toList();
    return folders.stream()
        .filter(plain::startsWith)
        .map(folder -> plain.substring(folder.length()))
        .anyMatch(rest -> patterns().anyMatch(shards -> shards.number(rest).isPresent()));
  }

  private Stream<ShardPattern> patterns() {
    return Stream.concat(
        Stream.of(pattern), routes.stream().flatMap(route -> route.pattern().stream()));
  }

  /** Sets options one by one. */
  public static final class Builder {
    private static final long USUAL_SIZE = 256L * 1024 * 1024;

    private Optional<KeyPattern> groupBy = Optional.empty();
    private Dots dots = Dots.KEEP;
    private PrefixBy prefixBy = PrefixBy.NONE;
    private Reserved reserved = Reserved.REFUSE;
    private boolean lowerCaseExtensions;
    private boolean hidden;
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

    public Builder prefixBy(PrefixBy prefix) {
      prefixBy = prefix;
      return this;
    }

    public Builder reserved(Reserved policy) {
      reserved = policy;
      return this;
    }

    public Builder lowerCaseExtensions(boolean put) {
      lowerCaseExtensions = put;
      return this;
    }

    public Builder hidden(boolean packed) {
      hidden = packed;
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

    /** Returns the validated options. */
    public PlanOptions build() {
      return new PlanOptions(
          groupBy,
          dots,
          prefixBy,
          reserved,
          lowerCaseExtensions,
          hidden,
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
