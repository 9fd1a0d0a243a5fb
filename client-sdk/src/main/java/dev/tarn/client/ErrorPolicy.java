package dev.tarn.client;

/**
 * What becomes of an epoch some of whose samples cannot be read: because they are corrupt, or
 * because the rest of their shard is, or cannot be fetched, after all that is tried again; or that
 * the function of a {@link Loader#map} or the predicate of a {@link Loader#filter} fails on.
 *
 * @param skippedMax how many samples are skipped at most, per iterator; what goes beyond fails
 */
public record ErrorPolicy(long skippedMax) {
  /** The first sample that cannot be read ends the epoch. */
  public static final ErrorPolicy FAIL = new ErrorPolicy(0);

  /** Checks the bound. */
  public ErrorPolicy {
    if (skippedMax < 0) {
      throw new IllegalArgumentException(
          "at most %d samples to skip, expected 0 or more".formatted(skippedMax));
    }
  }

  /**
   * Skips at most so many samples, which {@link ResumableIterator#damages} tells of. Checkpoints
   * count them as consumed. A rank that skips makes fewer steps than the others, which wait for it
   * where they exchange gradients.
   */
  public static ErrorPolicy skip(long samplesMax) {
    return new ErrorPolicy(samplesMax);
  }

  /** Whether anything is skipped. */
  boolean isTolerant() {
    return skippedMax > 0;
  }
}
