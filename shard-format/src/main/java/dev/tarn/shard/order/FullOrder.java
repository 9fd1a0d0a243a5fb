package dev.tarn.shard.order;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Any sample at any position; each sample is read by itself. */
final class FullOrder implements EpochOrder {
  private final ShardSequence samples;
  private final Permutation permutation;
  private final int blockLength;

  /**
   * Makes the order.
   *
   * @param blockLength how many samples are looked up together and read in stored order; it does
   *     not influence the order
   */
  FullOrder(ShardSequence samples, SeededOrder order, int blockLength) {
    this.samples = samples;
    this.blockLength = blockLength;
    this.permutation = new Permutation(samples.length(), order);
  }

  @Override
  public long length() {
    return samples.length();
  }

  @Override
  public int readTogether() {
    return blockLength;
  }

  @Override
  public boolean isScattered() {
    return true;
  }

  @Override
  public Block block(long position) {
    long start = position - position % blockLength;
    int length = (int) Math.min(blockLength, length() - start);
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
