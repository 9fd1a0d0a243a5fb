package dev.tarn.targetnode.store.residents;

/**
 * Decides which entries of a full cache stay: it gives each entry a value, and the least of a
 * sample leaves. Implementations have no state that changes and are safe for use by many threads.
 *
 * <p>Times are in {@linkplain Ticks ticks}.
 */
public interface CachePolicy {
  /** The value of an entry of which nothing is known. A value of 0 is less. */
  double UNKNOWN = 1e-13;

  /**
   * The value of an entry that the cache has.
   *
   * @param now the present time
   */
  double valueOfResident(BucketUse bucket, int bytes, Use use, int now);

  /** The value of an entry that is wanted now, and would have to be fetched. */
  double valueOfCandidate(BucketUse bucket, int bytes, Use use);

  /** The value of an entry that is being written and was not read yet. */
  double valueOfWritten();

  /** A candidate enters only if its value is greater than this times that of each victim. */
  double margin();

  /** References of an entry of this bucket that are not farther apart than this count as one. */
  int oneReferenceTicks(BucketUse bucket);
}
