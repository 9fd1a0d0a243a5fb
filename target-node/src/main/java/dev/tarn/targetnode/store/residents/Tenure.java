package dev.tarn.targetnode.store.residents;

/**
 * Keeps what it has against equals. A training job reads each entry once per epoch, in a new order
 * each time: of such entries, none is better than another, and a cache that exchanges them loses
 * hits. An entry's value is the rate at which it is expected to be read again. A candidate enters
 * only if its value is clearly greater than that of each victim. Entries lose their value when
 * their bucket pauses, or when they have been idle for unusually long.
 *
 * <p>The rate is estimated from the entry's own intervals, with the mean interval of its bucket as
 * one more interval, and declines when the entry is overdue.
 */
public final class Tenure implements CachePolicy {
  /** Small entries cost a round trip to the backend besides their bytes: what that is worth. */
  private static final double ROUND_TRIP_BYTES = 256 << 10;

  private static final double MARGIN = 2;

  /** References that are farther apart count, while the intervals of the bucket are unknown. */
  private static final int UNKNOWN_ONE_REFERENCE_TICKS = 100;

  private final Floors floors;

  /**
   * The times that a policy in a test can shorten.
   *
   * @param pauseTicks a bucket that was read within this time does not pause
   * @param oneReferenceTicks references that are farther apart than this always count
   */
  public record Floors(int pauseTicks, int oneReferenceTicks) {}

  public Tenure(Floors floors) {
    this.floors = floors;
  }

  @Override
  public double valueOfResident(BucketUse bucket, int bytes, Use use, int now) {
    if (bucket.pauses(now, floors.pauseTicks())) {
      return 0;
    }
    if (!bucket.isKnown()) {
      return UNKNOWN;
    }
    long idle = use.idle(now);
    return idle > bucket.usualIdleMax() ? 0 : rate(bucket, bytes, use, idle);
  }

  @Override
  public double valueOfCandidate(BucketUse bucket, int bytes, Use use) {
    return use.intervals() == 0 || !bucket.isKnown() ? UNKNOWN : rate(bucket, bytes, use, 0);
  }

  /**
   * The expected rate of reads. It is not divided by the size: that would favour the number of hits
   * over the bytes that they serve.
   */
  private static double rate(BucketUse bucket, int bytes, Use use, long idle) {
    double intervals = 1.0 + use.intervals();
    double ticks = bucket.meanInterval() + use.ticks();
    double overdue = Math.max(0, idle - ticks / intervals);
    return intervals / (ticks + overdue) * (1 + ROUND_TRIP_BYTES / bytes);
  }

  @Override
  public double valueOfWritten() {
    return UNKNOWN;
  }

  @Override
  public double margin() {
    return MARGIN;
  }

  @Override
  public int oneReferenceTicks(BucketUse bucket) {
    return bucket.isKnown()
        ? (int) Math.min(floors.oneReferenceTicks(), 0.05 * bucket.meanInterval())
        : Math.min(floors.oneReferenceTicks(), UNKNOWN_ONE_REFERENCE_TICKS);
  }
}
