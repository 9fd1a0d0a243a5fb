package dev.tarn.gateway.profile;

import dev.tarn.gateway.profile.LoadReport.PrefixLoad;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The prefixes of keys with the most requests, by the algorithm Space-Saving (Metwally, Agrawal, El
 * Abbadi, 2005): a new prefix takes the place of the least one and inherits its count. A count is
 * therefore too high by at most the least count. A prefix ends with the last slash of a key.
 */
final class TopPrefixes {
  private static final int PREFIXES_MAX = 64;
  private static final int LENGTH_MAX = 128;

  /** A prefix of a bucket; empty for keys without a slash. */
  record Prefix(String bucket, String text) {
    static Prefix of(String bucket, String key) {
      int end = Math.min(key.lastIndexOf('/') + 1, LENGTH_MAX);
      return new Prefix(bucket, key.substring(0, end));
    }
  }

  private final Map<Prefix, long[]> counts = new HashMap<>();

  void add(Prefix prefix, long requests) {
    long[] known = counts.get(prefix);
    if (known != null) {
      known[0] += requests;
    } else if (counts.size() < PREFIXES_MAX) {
      counts.put(prefix, new long[] {requests});
    } else {
      Map.Entry<Prefix, long[]> least =
          Collections.min(
              counts.entrySet(), Comparator.comparingLong(entry -> entry.getValue()[0]));
      counts.remove(least.getKey());
      counts.put(prefix, new long[] {least.getValue()[0] + requests});
    }
  }

  void add(TopPrefixes other) {
    other.counts.forEach((prefix, count) -> add(prefix, count[0]));
  }

  /** The prefixes of a bucket, or of all, those with the most requests first. */
  List<PrefixLoad> most(Optional<String> bucket, int countMax) {
    return counts.entrySet().stream()
        .filter(entry -> bucket.isEmpty() || bucket.orElseThrow().equals(entry.getKey().bucket()))
        .map(entry -> {
          Prefix prefix = entry.getKey();
          return new PrefixLoad(prefix.bucket(), prefix.text(), entry.getValue()[0]);
        })
        .sorted(Comparator.comparingLong(PrefixLoad::requests).reversed())
        .limit(countMax)
        .toList();
  }
}
