package dev.tarn.gateway.http;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Divides a limit fairly among clients that together want more. Each gets what it wants, up to a
 * level at which the sum equals the limit (max-min fairness). A client below the level is never
 * affected by those above it.
 */
final class FairShares {
  private FairShares() {}

  /**
   * The clients that hold more than their fair share; none if the limit is kept.
   *
   * @param held by client, in bytes
   * @param max the limit for all clients together, in bytes
   */
  static Set<String> above(Map<String, Long> held, long max) {
    long level = level(held, max);
    return held.entrySet().stream()
        .filter(client -> client.getValue() > level)
        .map(Map.Entry::getKey)
        .collect(Collectors.toUnmodifiableSet());
  }

  private static long level(Map<String, Long> held, long max) {
    long[] ascending = held.values().stream().mapToLong(Long::longValue).sorted().toArray();
    if (Arrays.stream(ascending).sum() <= max) {
      return Long.MAX_VALUE;
    }
    long rest = max;
    for (int index = 0; index < ascending.length; index++) {
      long share = rest / (ascending.length - index);
      if (ascending[index] > share) {
        return share;
      }
      rest -= ascending[index];
    }
    return Long.MAX_VALUE;
  }
}
