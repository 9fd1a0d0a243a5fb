package dev.tarn.targetnode.store.residents;

import org.jspecify.annotations.Nullable;

/**
 * For what residents are displaced: it decides which of them may leave, and at what cost.
 *
 * @param bucket that needs the room, or has too much of it; null for primary bytes
 * @param ownOnly whether only entries of this bucket may leave
 * @param isPinned whether it is for an entry that is pinned
 * @param isForced whether residents that should stay leave, too, when there are no others
 */
record Displacing(
    @Nullable BucketCache bucket, boolean ownOnly, boolean isPinned, boolean isForced) {
  /** More than the value of any resident that may leave. */
  static final double PROTECTED = 1e9;

  /** Makes the values of protected residents greater than any other, in the same order. */
  private static final double PROTECTED_FACTOR = 1e30;

  /** Makes the values of residents less than that of any entry that is pinned. */
  private static final double FOR_PINNED_FACTOR = 1e-30;

  static Displacing forPrimary() {
    return new Displacing(null, false, false, true);
  }

  /** For what a bucket has beyond its share. */
  static Displacing excessOf(BucketCache bucket) {
    return new Displacing(bucket, true, false, true);
  }

  /** For an entry that is used like this. */
  static Displacing forEntry(BucketUse use) {
    return new Displacing(use.cache(), false, use.isPinned(), false);
  }

  /** For an entry that is used like this, of a bucket that has its share. */
  static Displacing ownFor(BucketUse use) {
    return new Displacing(use.cache(), true, use.isPinned(), false);
  }

  /**
   * The cost of displacing a resident; infinite if it must stay.
   *
   * @param value of the resident by the policy
   */
  double cost(BucketUse of, int bytes, double value) {
    boolean isOwn = of.cache() == bucket;
    if (ownOnly && !isOwn) {
      return Double.POSITIVE_INFINITY;
    }
    boolean isKept = of.isPinned() ? !(isOwn && isPinned) : !isOwn && of.cache().isProtected(bytes);
    if (isKept) {
      return isForced ? PROTECTED + value * PROTECTED_FACTOR : Double.POSITIVE_INFINITY;
    }
    return isPinned && !of.isPinned() ? value * FOR_PINNED_FACTOR : value;
  }
}
