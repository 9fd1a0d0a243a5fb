package dev.tarn.sharder.plan;

import dev.tarn.shard.Hash64;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.Route;
import dev.tarn.sharder.plan.option.Split;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chooses the set of shards for a sample, only by its key: the split by a hash, then the route. */
final class ShardSets {
  /** The set of samples that are left out. */
  static final int NONE = -1;

  private static final int SETS_MAX = 0xffff;
  private static final BigDecimal HASHES = new BigDecimal(BigInteger.ONE.shiftLeft(Long.SIZE));

  private final List<Split> splits;
  private final List<Route> routes;
  private final List<ShardPattern> patterns;
  private final int usual;
  private final String suffix;

  /** The end of each split's range of hashes, exclusive; the last split has none. */
  private final List<Long> ends = new ArrayList<>();

  ShardSets(PlanOptions options) {
    splits = options.splits();
    routes = options.routes();
    Set<ShardPattern> distinct = new LinkedHashSet<>();
    routes.forEach(route -> route.pattern().ifPresent(distinct::add));
    distinct.add(options.pattern());
    patterns = List.copyOf(distinct);
    usual = patterns.indexOf(options.pattern());
    suffix = options.compression().suffix();
    if ((long) patterns.size() * Math.max(1, splits.size()) > SETS_MAX) {
      throw new IllegalArgumentException(
          "more than " + SETS_MAX + " sets of shards: patterns of --route times splits");
    }
    BigDecimal end = BigDecimal.ZERO;
    for (Split split : splits.subList(0, Math.max(0, splits.size() - 1))) {
      end = end.add(split.fraction());
      ends.add(end.multiply(HASHES).toBigInteger().longValue());
    }
  }

  /**
   * Returns the number of a key's set, in the order of the sets; {@link #NONE} if the key is left
   * out.
   */
  int of(byte[] name, int keyLength) {
    int pattern = usual;
    if (!routes.isEmpty()) {
      String key = MemberNames.decode(name, 0, keyLength);
      for (Route route : routes) {
        if (route.keys().matches(key)) {
          pattern = route.pattern().map(patterns::indexOf).orElse(NONE);
          break;
        }
      }
    }
    return pattern == NONE ? NONE : split(name, keyLength) * patterns.size() + pattern;
  }

  private int split(byte[] name, int keyLength) {
    if (ends.isEmpty()) {
      return 0;
    }
    long hash = Hash64.mixed(Hash64.fnv1a(name, 0, keyLength));
    int split = 0;
    while (split < ends.size() && Long.compareUnsigned(hash, ends.get(split)) >= 0) {
      split++;
    }
    return split;
  }

  /** Returns the set with a number. */
  ShardSet get(int number) {
    Optional<String> split =
        splits.isEmpty()
            ? Optional.empty()
            : Optional.of(splits.get(number / patterns.size()).name());
    return new ShardSet(split, patterns.get(number % patterns.size()), suffix);
  }
}
