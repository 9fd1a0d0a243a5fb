package dev.tarn.targetnode.cache;

import java.util.concurrent.atomic.LongAdder;

/** What the cache has done since the start. Safe for use by many threads. */
public final class CacheFigures {
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder revalidations = new LongAdder();
  private final LongAdder unitsFetched = new LongAdder();
  private final LongAdder bytesFetched = new LongAdder();
  private final LongAdder bytesHit = new LongAdder();
  private final LongAdder passedThrough = new LongAdder();
  private final LongAdder passedForRoom = new LongAdder();
  private volatile long passedForRoomLastMs;
  private final LongAdder servedStale = new LongAdder();

  /** Reads whose bytes were all on the disk. */
  public long hits() {
    return hits.sum();
  }

  /** Reads that needed bytes from the backend. */
  public long misses() {
    return misses.sum();
  }

  /** Calls to the backend to validate a cached object. */
  public long revalidations() {
    return revalidations.sum();
  }

  /** Units stored. */
  public long unitsFetched() {
    return unitsFetched.sum();
  }

  /** Bytes read from backends, stored or passed through. */
  public long bytesFetched() {
    return bytesFetched.sum();
  }

  /** Bytes of objects that were served from the disk. */
  public long bytesHit() {
    return bytesHit.sum();
  }

  /** Units passed from the backend to a reader without being stored. */
  public long passedThrough() {
    return passedThrough.sum();
  }

  /** Units and small objects that were not stored, because the disk had no room. */
  public long passedForRoom() {
    return passedForRoom.sum();
  }

  /** Reads served from the cache because the backend was unreachable. */
  public long servedStale() {
    return servedStale.sum();
  }

  void countHit() {
    hits.increment();
  }

  void countMiss() {
    misses.increment();
  }

  void countRevalidation() {
    revalidations.increment();
  }

  void countUnitFetched() {
    unitsFetched.increment();
  }

  void countBytesFetched(long bytes) {
    bytesFetched.add(bytes);
  }

  void countBytesHit(long bytes) {
    bytesHit.add(bytes);
  }

  void countPassedThrough() {
    passedThrough.increment();
  }

  /** When {@link #passedForRoom} last grew, in milliseconds since 1970; 0 if it never did. */
  public long passedForRoomLastMs() {
    return passedForRoomLastMs;
  }

  void countPassedForRoom() {
    passedForRoom.increment();
    passedForRoomLastMs = System.currentTimeMillis();
  }

  void countServedStale() {
    servedStale.increment();
  }
}
