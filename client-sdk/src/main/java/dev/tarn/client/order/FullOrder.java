package dev.tarn.client.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Any sample at any position; each is read by itself. */
final class FullOrder implements EpochOrder {
  /** So many are looked up together, and read in the order in which they are stored. */
  private static final int BLOCK_LENGTH = 1024;

  private final ShardSequence samples;
  private final Permutation permutation;

  FullOrder(ShardSequence samples, SeededOrder order) {
    this.samples = samples;
    this.permutation = new Permutation(samples.length(), order);
  }

  @Override
  public long length() {
    return samples.length();
  }

  @Override
  public Block block(long position) {
    long start = position - position % BLOCK_LENGTH;
    int length = (int) Math.min(BLOCK_LENGTH, length() - start);
    long[] wanted = new long[length];
    Arrays.setAll(wanted, i -> permutation.at(start + i));
    long[] read = wanted.clone();
    Arrays.sort(read);
    int[] delivery = new int[length];
    for (int i = 0; i < length; i++) {
      delivery[i] = Arrays.binarySearch(read, wanted[i]);
    }
    List<SampleRun> runs = new ArrayList<>();
    for (int i = 0; i < length; ) {
      int end = i + 1;
      while (end < length && read[end] == read[end - 1] + 1) {
        end++;
      }
      runs.addAll(samples.runs(read[i], read[end - 1] + 1));
      i = end;
    }
    return Block.shuffled(start, runs, delivery);
  }
}
