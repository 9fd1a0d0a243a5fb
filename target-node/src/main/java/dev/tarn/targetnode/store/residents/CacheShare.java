package dev.tarn.targetnode.store.residents;

/**
 * What a bucket may have of the cache of a disk.
 *
 * @param bytesMin so many bytes are not displaced for other buckets
 * @param bytesMax the most that it may have; 0 if nothing may stay
 */
public record CacheShare(long bytesMin, long bytesMax) {
  /** A bucket without bounds. */
  public static final CacheShare ANY = new CacheShare(0, Long.MAX_VALUE);

  /** A bucket that is deleted. */
  public static final CacheShare NONE = new CacheShare(0, 0);

  public CacheShare {
    if (bytesMin < 0 || bytesMax < bytesMin) {
      throw new IllegalArgumentException(
          "share is " + bytesMin + " to " + bytesMax + " bytes, must be an ascending range");
    }
  }
}
