package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The samples of a dataset's shards, one shard after the other in some order. Immutable. */
final class ShardSequence {
  private final int[] shards;

  /** How many samples come before each shard, and all of them at the end. */
  private final long[] before;

  /**
   * @param shards the numbers of the shards, in order
   * @param counts how many samples each shard has, by its number
   */
  ShardSequence(int[] shards, int[] counts) {
    this.shards = shards.clone();
    this.before = new long[shards.length + 1];
    for (int i = 0; i < shards.length; i++) {
      before[i + 1] = before[i] + counts[shards[i]];
    }
  }

  /** How many samples there are. */
  long length() {
    return before[shards.length];
  }

  /** The samples from a place on, to the end of their shard. */
  SampleRun rest(long place) {
    int at = find(place);
    return new SampleRun(
        shards[at], (int) (place - before[at]), (int) (before[at + 1] - before[at]));
  }

  /** The place at which the shard begins that holds a place. */
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
