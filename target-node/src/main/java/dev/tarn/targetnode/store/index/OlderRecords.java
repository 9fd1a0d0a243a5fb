package dev.tarn.targetnode.store.index;

/**
 * The segments in which dead records of a key may still stand: those of numbers from one to
 * another, both included, if they are still there. A tombstone is needed as long as there is one,
 * for without it an index made anew would bring the dead record back.
 *
 * @param fromSegment 0 for none
 * @param toSegment 0 for none
 */
public record OlderRecords(long fromSegment, long toSegment) {
  /** There are none. */
  public static final OlderRecords NONE = new OlderRecords(0, 0);

  /** These and a record in one more segment. */
  public OlderRecords and(long segment) {
    return fromSegment == 0
        ? new OlderRecords(segment, segment)
        : new OlderRecords(Math.min(fromSegment, segment), Math.max(toSegment, segment));
  }

  /** These and others. */
  public OlderRecords and(OlderRecords others) {
    return others.fromSegment == 0 ? this : and(others.fromSegment).and(others.toSegment);
  }

  /** Whether there are none. */
  public boolean isNone() {
    return fromSegment == 0;
  }
}
