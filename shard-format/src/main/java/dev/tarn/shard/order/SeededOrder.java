package dev.tarn.shard.order;

/**
 * Permutations that a seed, an epoch and a place determine, on every JVM and for ever.
 *
 * <p>The generator is SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators", 2014), spelled out here because the order of an epoch is part of what a checkpoint
 * relies on; the shuffle is Fisher and Yates'. Each place (the shards, a block of samples) has a
 * permutation of its own, so that one can be computed without those before it.
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

  /** The order of one of several datasets, of which none has another's. */
  public SeededOrder ofDataset(int dataset) {
    return new SeededOrder(mix(mix(seed) + dataset), epoch);
  }

  /** The numbers below {@code count} in the order of the shards. */
  public int[] shards(int count) {
    return permutation(count, SHARDS);
  }

  /** The numbers below {@code count} in the order of a block's samples. */
  public int[] block(int count, long block) {
    return permutation(count, block);
  }

  /** The numbers below {@code count} in the order of all samples. */
  int[] samples(int count) {
    return permutation(count, SAMPLES);
  }

  /** Random bits for a number, for the order of all samples. */
  long key(long number) {
    return mix(state(KEYS) + number);
  }

  /** A random number below a bound, drawn for a number. */
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
      // The high bits' product with the bound is uniform within count / 2^32, far below notice.
      int j = (int) (((mix(state) >>> 32) * (i + 1L)) >>> 32);
      order[i] = order[j];
      order[j] = i;
    }
    return order;
  }

  static long mix(long value) {
    long z = value + GOLDEN_GAMMA;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
