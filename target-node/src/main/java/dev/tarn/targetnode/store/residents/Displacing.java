package dev.tarn.targetnode.store.residents;

/**
 * For what residents are displaced: it decides which of them may leave, and at what cost.
 *
 * @param bucket the number of the bucket that needs the room; {@link #PRIMARY} for primary bytes
 * @param ownOnly whether only entries of this bucket may leave, because it has its share
 */
record Displacing(int bucket, boolean ownOnly) {
  /** No bucket of the cache. */
  private static final int PRIMARY = -1;

  /** More than any value: what is protected leaves last. */
  static final double PROTECTED = 1e9;

  static Displacing forPrimary() {
    return new Displacing(PRIMARY, false);
  }

  static Displacing forBucket(BucketUse bucket) {
    return new Displacing(bucket.number(), false);
  }

  static Displacing ownOf(BucketUse bucket) {
    return new Displacing(bucket.number(), true);
  }

  /**
   * The cost of displacing a resident; infinite if it must stay.
   *
   * @param value of the resident by the policy
   */
  double cost(BucketUse of, int bytes, double value) {
    if (of.number() == bucket) {
      return value;
    }
    if (ownOnly) {
      return Double.POSITIVE_INFINITY;
    }
    if (!of.isProtected(bytes)) {
      return value;
    }
    return bucket == PRIMARY ? PROTECTED + value : Double.POSITIVE_INFINITY;
  }
}
