package dev.tarn.targetnode.store.index;

/**
 * The segments in which dead records of a key may still be: a range of numbers, both ends included;
 * some may no longer exist. A tombstone is needed as long as one exists. Without the tombstone, a
 * rebuild of the index would bring the dead record back.
 *
 * @param fromSegment 0 for none
 * @param toSegment 0 for none
 */
public record OlderRecords(long fromSegment, long toSegment) {
  public OlderRecords {
    if (fromSegment < 0 || toSegment < fromSegment) {
      throw new IllegalArgumentException(
          "older records are in segments " + fromSegment + " to " + toSegment);
    }
  }

  /** No segments. */
  public static final OlderRecords NONE = new OlderRecords(0, 0);

  /** This range, extended by one segment. */
  public OlderRecords and(long segment) {
    return fromSegment == 0
        ? new OlderRecords(segment, segment)
        : new OlderRecords(Math.min(fromSegment, segment), Math.max(toSegment, segment));
  }

  /** This range, extended by another. */
  public OlderRecords and(OlderRecords others) {
    return others.fromSegment == 0 ? this : and(others.fromSegment).and(others.toSegment);
  }

  /** Whether the range is empty. */
  public boolean isNone() {
    return fromSegment == 0;
  }
}
