package dev.tarn.gateway.profile;

import dev.tarn.gateway.http.ExchangeRecord;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The load of an interval: of all requests and by bucket. Its user locks it. */
final class LoadWindow {
  /** Further buckets of an interval are counted together. */
  private static final int BUCKETS_MAX = 16;

  /**
   * One in so many requests counts for the prefixes. The distances are random: programs often ask
   * in a regular order.
   */
  private static final int PREFIX_SAMPLE = 8;

  private final long number;
  private final long lengthMs;
  private final Load all = new Load();
  private final Map<String, Load> buckets = new HashMap<>();
  private final TopPrefixes prefixes = new TopPrefixes();
  private final SplittableRandom random;
  private int untilSample = PREFIX_SAMPLE;

  /**
   * An interval without requests.
   *
   * @param number of intervals of the same length since 1970
   */
  LoadWindow(long number, long lengthMs) {
    this.number = number;
    this.lengthMs = lengthMs;
    this.random = new SplittableRandom(number);
  }

  long number() {
    return number;
  }

  /** When it began, in milliseconds since 1970. */
  long startMs() {
    return number * lengthMs;
  }

  Load all() {
    return all;
  }

  Map<String, Load> buckets() {
    return buckets;
  }

  TopPrefixes prefixes() {
    return prefixes;
  }

  /**
   * Adds a request. A bucket has a place only after a request of it has succeeded: names that do
   * not exist take no place.
   */
  void add(ExchangeRecord record) {
    RequestKind kind = RequestKind.of(record.operation());
    all.add(kind, record);
    String bucket = record.bucket();
    Load load = bucket == null ? null : load(bucket, record.status() < 400);
    if (load == null) {
      return;
    }
    load.add(kind, record);
    untilSample--;
    String key = record.key();
    if (untilSample == 0) {
      untilSample = random.nextInt(1, 2 * PREFIX_SAMPLE);
      if (bucket != null && key != null) {
        prefixes.add(TopPrefixes.Prefix.of(bucket, key), PREFIX_SAMPLE);
      }
    }
  }

  private @Nullable Load load(String bucket, boolean isNew) {
    Load known = buckets.get(bucket);
    if (known == null && isNew && buckets.size() < BUCKETS_MAX) {
      known = new Load();
      buckets.put(bucket, known);
    }
    return known;
  }

  /** Adds another part of the same interval, or a shorter interval. */
  void add(LoadWindow other) {
    addLoads(other);
    prefixes.add(other.prefixes);
  }

  /** Adds another part of the same interval without its prefixes, which take the most memory. */
  void addLoads(LoadWindow other) {
    all.add(other.all);
    other.buckets.forEach((bucket, load) -> {
      Load present = load(bucket, true);
      if (present != null) {
        present.add(load);
      }
    });
  }

  /** The interval is over, and is one of ten seconds. */
  void end() {
    all.end();
    buckets.values().forEach(Load::end);
  }
}
