package dev.tarn.sharder.plan;

import java.util.BitSet;

/**
 * The global shuffle: Fisher and Yates's, from the end, with numbers from SplitMix64 (Steele, Lea
 * and Flood, 2014). It is written out here because the order is part of the dataset's bytes: no
 * change of a library may change it. docs/DATASET_FORMAT.md has it for other languages.
 */
final class SampleShuffle {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  private long state;

  SampleShuffle(long seed) {
    state = seed;
  }

  /**
   * Shuffles samples.
   *
   * @param members of all samples in order
   * @param starts where samples begin among them; afterwards, where they begin among the result
   * @return the members in the new order
   */
  int[] shuffle(int[] members, BitSet starts) {
    int[] samples = new int[starts.cardinality()];
    for (int i = 0, start = 0; i < samples.length; i++, start = starts.nextSetBit(start + 1)) {
      samples[i] = start;
    }
    for (int i = samples.length - 1; i > 0; i--) {
      int other = (int) below(i + 1L);
      int swapped = samples[i];
      samples[i] = samples[other];
      samples[other] = swapped;
    }
    int[] shuffled = new int[members.length];
    BitSet moved = new BitSet(members.length);
    int to = 0;
    for (int from : samples) {
      int next = starts.nextSetBit(from + 1);
      int length = (next < 0 ? members.length : next) - from;
      moved.set(to);
      System.arraycopy(members, from, shuffled, to, length);
      to += length;
    }
    starts.clear();
    starts.or(moved);
    return shuffled;
  }

  /** The upper half of the product maps 64 random bits onto the range. */
  private long below(long bound) {
    return Math.unsignedMultiplyHigh(next(), bound);
  }

  private long next() {
    state += GOLDEN_GAMMA;
    long mixed = state;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
