package dev.tarn.shard.order;

/**
 * Samples of one shard that follow each other there.
 *
 * @param shard the shard's number in the dataset
 * @param from the number of the first in the shard
 * @param to behind the last
 */
public record SampleRun(int shard, int from, int to) {
  /** Checks the bounds. */
  public SampleRun {
    if (shard < 0 || from < 0 || from >= to) {
      throw new IllegalArgumentException("samples " + from + " to " + to + " of shard " + shard);
    }
  }

  /** How many. */
  public int length() {
    return to - from;
  }
}
