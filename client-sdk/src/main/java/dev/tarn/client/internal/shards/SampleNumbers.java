package dev.tarn.client.internal.shards;

import java.util.Arrays;
import java.util.List;

/** The numbers of a dataset's samples, counted from 0 through all shards. Immutable. */
public final class SampleNumbers {
  /** The number of each shard's first sample; the last entry is the number of all samples. */
  private final long[] starts;

  private SampleNumbers(long[] starts) {
    this.starts = starts;
  }

  /**
   * The numbers of these shards' samples.
   *
   * @param shards whose numbers of samples are known
   */
  public static SampleNumbers of(List<ShardSource> shards) {
    long[] starts = new long[shards.size() + 1];
    for (int i = 0; i < shards.size(); i++) {
      starts[i + 1] = starts[i] + shards.get(i).samples().orElseThrow();
    }
    return new SampleNumbers(starts);
  }

  /** The number of samples. */
  public long count() {
    return starts[starts.length - 1];
  }

  /** The number of a shard's first sample. */
  public long start(int shard) {
    return starts[shard];
  }

  /**
   * The shard of a sample.
   *
   * @throws IndexOutOfBoundsException naming the number of samples
   */
  public int shard(long number) {
    if (number < 0 || number >= count()) {
      throw new IndexOutOfBoundsException(
          "sample %d does not exist: the dataset has %d samples, numbered from 0"
              .formatted(number, count()));
    }
    int found = Arrays.binarySearch(starts, number);
    int shard = found < 0 ? -found - 2 : found;
    // A shard without samples begins where the next one does.
    while (starts[shard + 1] == number) {
      shard++;
    }
    return shard;
  }

  /** The number of a sample within its shard. */
  public int within(long number) {
    return (int) (number - starts[shard(number)]);
  }
}
