package dev.tarn.targetnode.cache;

import dev.tarn.cluster.wire.TargetReport.Traffic;
import dev.tarn.targetnode.cache.BucketTraffic.Figure;

/** The traffic of a bucket in a part of the time. Its user locks it. */
final class TrafficStep {
  final long number;
  final long[] counts = new long[BucketTraffic.FIGURES];
  long slowestFetchMicros;

  /** Of the busiest ten seconds. */
  private long busiestReads;

  private long busiestBytes;

  /**
   * A step without traffic.
   *
   * @param number of steps of the same length since 1970
   */
  TrafficStep(long number) {
    this.number = number;
  }

  private long count(Figure figure) {
    return counts[figure.place()];
  }

  /** The step is over, and is one of ten seconds: it is its own busiest part. */
  void end() {
    busiestReads = count(Figure.HITS) + count(Figure.MISSES);
    busiestBytes = count(Figure.HIT_BYTES) + count(Figure.FETCHED_BYTES);
  }

  boolean isEmpty() {
    for (long count : counts) {
      if (count != 0) {
        return false;
      }
    }
    return true;
  }

  /** Adds another part of the time. */
  void add(TrafficStep other) {
    for (int figure = 0; figure < counts.length; figure++) {
      counts[figure] += other.counts[figure];
    }
    slowestFetchMicros = Math.max(slowestFetchMicros, other.slowestFetchMicros);
    busiestReads = Math.max(busiestReads, other.busiestReads);
    busiestBytes = Math.max(busiestBytes, other.busiestBytes);
  }

  /**
   * The traffic, for reports.
   *
   * @param seconds for which it was counted
   */
  Traffic traffic(long seconds) {
    return new Traffic(
        count(Figure.HITS),
        count(Figure.MISSES),
        count(Figure.HIT_BYTES),
        count(Figure.FETCHED_BYTES),
        count(Figure.FETCHES),
        count(Figure.FETCH_ERRORS),
        count(Figure.FETCH_MICROS),
        slowestFetchMicros,
        busiestReads,
        busiestBytes,
        seconds);
  }
}
