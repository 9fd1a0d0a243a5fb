package dev.tarn.targetnode.cache;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

/** Counts what the cache does. Safe for use by many threads. */
public final class CacheMeters {
  final Counter hits;
  final Counter misses;
  final Counter revalidations;
  final Counter unitsFetched;
  final Counter fetchedBytes;
  final Counter hitBytes;
  final Counter unitsPassed;
  final Counter servedStale;
  private final Counter passedForRoom;
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

  /** Counts bytes served from the disk. */
  void countHit(long bytes) {
    hitBytes.increment((double) bytes);
  }

  /** Counts bytes read from the backend. */
  void countFetched(long bytes) {
    fetchedBytes.increment((double) bytes);
  }

  void countPassedForRoom() {
    passedForRoom.increment();
    passedForRoomLastMs = System.currentTimeMillis();
  }
}
