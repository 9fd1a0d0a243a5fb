package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The samples of a dataset's shards, one shard after the other in some order. Immutable. */
final class ShardSequence {
  private final int[] shards;

  /** The number of samples before each shard; the last entry is the total. */
  private final long[] before;

  /**
   * Makes the sequence.
   *
   * @param shards numbers of the shards, in order
   * @param counts number of samples in each shard, by the shard's number
   */
  ShardSequence(int[] shards, int[] counts) {
    this.shards = shards.clone();
    this.before = new long[shards.length + 1];
    for (int i = 0; i < shards.length; i++) {
      before[i + 1] = before[i] + counts[shards[i]];
    }
  }

  /** The number of samples. */
  long length() {
    return before[shards.length];
  }

  /** The samples from a place to the end of its shard. */
  SampleRun rest(long place) {
    int at = find(place);
    return new SampleRun(
        shards[at], (int) (place - before[at]), (int) (before[at + 1] - before[at]));
  }

  /** The place at which the shard of a place begins. */
  long shardStart(long place) {
    return before[find(place)];
  }

  /** The samples between two places. */
  List<SampleRun> runs(long from, long to) {
    List<SampleRun> runs = new ArrayList<>();
    for (long place = from; place < to; ) {
      SampleRun rest = rest(place);
      int length = (int) Math.min(rest.length(), to - place);
      runs.add(new SampleRun(rest.shard(), rest.from(), rest.from() + length));
      place += length;
    }
    return runs;
  }

  private int find(long place) {
    if (place < 0 || place >= length()) {
      throw new IndexOutOfBoundsException("sample " + place + " of " + length());
    }
    int found = Arrays.binarySearch(before, place);
    int at = found >= 0 ? found : -found - 2;
    // A shard without samples begins where the next one does.
    while (before[at + 1] == before[at]) {
      at++;
    }
    return at;
  }
}
