package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.backend.FetchListener;
import dev.tarn.targetnode.cache.BucketTraffic.Figure;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Counts what the cache does. Safe for use by many threads. */
public final class CacheMeters {
  /** Bounds the memory: the last day of so many buckets takes at most 5 MiB. */
  private static final int BUCKETS_WITH_DAY = 128;

  private final Counter hits;
  private final Counter misses;
  final Counter revalidations;
  final Counter unitsFetched;
  final Counter fetchedBytes;
  final Counter hitBytes;
  final Counter unitsPassed;
  final Counter servedStale;
  private final Counter passedForRoom;
  private final ConcurrentHashMap<BucketId, BucketTraffic> traffic = new ConcurrentHashMap<>();
  private final Timer fetchTimes;
  private final Counter fetchErrors;
  private volatile long passedForRoomLastMs;

  /** Registers the meters. */
  public CacheMeters(MeterRegistry registry) {
    hits = counter(registry, "hits", "Reads whose bytes were all here");
    misses = counter(registry, "misses", "Reads that needed the backend's bytes");
    revalidations = counter(registry, "revalidations", "Questions whether an object changed");
    unitsFetched = counter(registry, "units.fetched", "Units stored");
    fetchedBytes = counter(registry, "fetched.bytes", "Bytes read from backends");
    hitBytes = counter(registry, "hit.bytes", "Bytes served from the disk");
    unitsPassed = counter(registry, "units.passed", "Units passed without being stored");
    servedStale = counter(registry, "served.stale", "Reads without asking the backend");
    fetchErrors = counter(registry, "fetch.errors", "Requests to backends for bytes that failed");
    fetchTimes =
        Timer.builder("tarn.cache.fetches")
            .description("Requests to backends for bytes, until their answers began")
            .register(registry);
    passedForRoom =
        counter(
            registry,
            "passed.for.room",
            "Units and small objects not stored, because the disk had no room");
  }

  private static Counter counter(MeterRegistry registry, String name, String description) {
    return Counter.builder("tarn.cache." + name).description(description).register(registry);
  }

  /** Reads whose bytes were all on the disk. */
  public long hits() {
    return (long) hits.count();
  }

  /** Reads that needed bytes from the backend. */
  public long misses() {
    return (long) misses.count();
  }

  /** Units and small objects that were not stored, because the disk had no room. */
  public long passedForRoom() {
    return (long) passedForRoom.count();
  }

  /** When {@link #passedForRoom} last grew, in milliseconds since 1970; 0 if it never did. */
  public long passedForRoomLastMs() {
    return passedForRoomLastMs;
  }

  /** The traffic of the buckets that were read since the start. */
  public Map<BucketId, BucketTraffic> traffic() {
    return Collections.unmodifiableMap(traffic);
  }

  /** Forgets the traffic of buckets that are gone. */
  public void forgetTraffic(Predicate<BucketId> isGone) {
    traffic.keySet().removeIf(isGone);
  }

  private BucketTraffic of(BucketId bucket) {
    BucketTraffic known = traffic.get(bucket);
    return known != null ? known : traffic.computeIfAbsent(bucket, id -> unread());
  }

  private BucketTraffic unread() {
    boolean keepsDay = traffic.size() < BUCKETS_WITH_DAY;
    return new BucketTraffic(System::nanoTime, System.currentTimeMillis(), keepsDay);
  }

  /** Counts a read, which needed bytes of the backend unless it was a hit. */
  void countRead(BucketId bucket, boolean isHit) {
    (isHit ? hits : misses).increment();
    of(bucket).add(isHit ? Figure.HITS : Figure.MISSES, 1);
  }

  /** Counts bytes served from the disk. */
  void countHit(BucketId bucket, long bytes) {
    hitBytes.increment((double) bytes);
    of(bucket).add(Figure.HIT_BYTES, bytes);
  }

  /** Counts bytes read from the backend. */
  void countFetched(BucketId bucket, long bytes) {
    fetchedBytes.increment((double) bytes);
    of(bucket).add(Figure.FETCHED_BYTES, bytes);
  }

  /** Counts the requests for bytes of a bucket. */
  FetchListener fetches(BucketId bucket) {
    return (nanos, isError) -> {
      fetchTimes.record(nanos, TimeUnit.NANOSECONDS);
      if (isError) {
        fetchErrors.increment();
      }
      of(bucket).addFetch(TimeUnit.NANOSECONDS.toMicros(nanos), isError);
    };
  }

  void countPassedForRoom() {
    passedForRoom.increment();
    passedForRoomLastMs = System.currentTimeMillis();
  }
}
