package dev.tarn.shard.order;

/**
 * Consecutive samples of one shard.
 *
 * @param shard number of the shard in the dataset
 * @param from number of the first sample in the shard
 * @param to number after the last sample
 */
public record SampleRun(int shard, int from, int to) {
  /** Checks the bounds. */
  public SampleRun {
    if (shard < 0 || from < 0 || from >= to) {
      throw new IllegalArgumentException("samples " + from + " to " + to + " of shard " + shard);
    }
  }

  /** The number of samples. */
  public int length() {
    return to - from;
  }
}
