package dev.tarn.shard.order;

import dev.tarn.shard.Hash64;

/**
 * Permutations that a seed, an epoch and a place determine, on every JVM and in every release.
 *
 * <p>The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014). It is written out here because checkpoints rely on the order of an epoch. The
 * shuffle is that of Fisher and Yates. Each place (the shards, a block of samples) has its own
 * permutation, so that one can be computed without those before it.
 */
public final class SeededOrder {
  private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

  /** The place of the permutation of the shards; blocks count from 0. */
  private static final long SHARDS = -1;

  private static final long SAMPLES = -2;
  private static final long KEYS = -3;
  private static final long DRAWS = -4;

  private final long seed;
  private final long epoch;

  /** The order of one epoch. */
  public SeededOrder(long seed, long epoch) {
    this.seed = seed;
    this.epoch = epoch;
  }

  /** The epoch's number. */
  public long epoch() {
    return epoch;
  }

  /** The order of one of several datasets; no two datasets have the same. */
  public SeededOrder ofDataset(int dataset) {
    return new SeededOrder(mix(mix(seed) + dataset), epoch);
  }

  /** A permutation of the numbers below {@code count}, for the shards. */
  public int[] shards(int count) {
    return permutation(count, SHARDS);
  }

  /** A permutation of the numbers below {@code count}, for the samples of a block. */
  public int[] block(int count, long block) {
    return permutation(count, block);
  }

  /** A permutation of the numbers below {@code count}, for all samples. */
  int[] samples(int count) {
    return permutation(count, SAMPLES);
  }

  /** Random bits for a number, for the order of all samples. */
  long key(long number) {
    return mix(state(KEYS) + number);
  }

  /** A random number below a bound, determined by a number. */
  long draw(long number, long bound) {
    return Math.multiplyHigh(mix(mix(state(DRAWS) + number)) >>> 1, bound << 1);
  }

  private long state(long place) {
    return mix(mix(mix(seed) + epoch) + place);
  }

  private int[] permutation(int count, long place) {
    long state = state(place);
    int[] order = new int[count];
    for (int i = 0; i < count; i++) {
      state += GOLDEN_GAMMA;
      // The product of the high bits and the bound is uniform within count / 2^32.
      int j = (int) (((mix(state) >>> 32) * (i + 1L)) >>> 32);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  static long mix(long value) {
    return Hash64.mixed(value + GOLDEN_GAMMA);
  }
}
