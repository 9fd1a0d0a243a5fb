package dev.tarn.sharder.plan;

import java.util.List;

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

  <T> void shuffle(List<T> list) {
    for (int i = list.size() - 1; i > 0; i--) {
      int other = (int) below(i + 1L);
      T swapped = list.get(i);
      list.set(i, list.get(other));
      list.set(other, swapped);
    }
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
