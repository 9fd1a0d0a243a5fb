package dev.tarn.targetnode.store.record;

/**
 * Tells a change of a stored version or part from the one that it replaces. The map epoch comes
 * first, so that two owners never give the same revision to different content.
 *
 * @param mapEpoch the epoch of the cluster map under which the owner committed; not negative
 * @param count of the changes in this epoch; not negative
 */
public record StoredRevision(long mapEpoch, int count) implements Comparable<StoredRevision> {
  public StoredRevision {
    if (mapEpoch < 0 || count < 0) {
      throw new IllegalArgumentException("revision is " + mapEpoch + ", " + count);
    }
  }

  /** The first revision in this map epoch. */
  public static StoredRevision first(long mapEpoch) {
    return new StoredRevision(mapEpoch, 0);
  }

  /** The revision of a change that is committed in this map epoch. */
  public StoredRevision next(long epoch) {
    return epoch > mapEpoch ? first(epoch) : new StoredRevision(mapEpoch, count + 1);
  }

  @Override
  public int compareTo(StoredRevision other) {
    int order = Long.compare(mapEpoch, other.mapEpoch);
    return order == 0 ? Integer.compare(count, other.count) : order;
  }
}
