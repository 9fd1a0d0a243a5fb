package dev.tarn.client;

/**
 * Decides what happens to an epoch if samples cannot be read: a sample or the rest of a shard is
 * corrupt, a fetch fails after all retries, or a function of a {@link Loader} fails on a sample.
 *
 * @param skippedMax how many samples each iterator may skip; more end the epoch
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
   * Skips up to {@code samplesMax} samples, which {@link ResumableIterator#damages} lists.
   * Checkpoints count them as consumed. A rank that skips makes fewer steps than the others, which
   * wait for it if they exchange gradients.
   */
  public static ErrorPolicy skip(long samplesMax) {
    return new ErrorPolicy(samplesMax);
  }

  /** Whether any sample may be skipped. */
  boolean isTolerant() {
    return skippedMax > 0;
  }
}
