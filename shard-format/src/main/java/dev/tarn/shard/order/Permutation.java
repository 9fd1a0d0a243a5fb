package dev.tarn.shard.order;

/**
 * A random permutation of the numbers below a count. Any place can be computed without those before
 * it, and without memory for them.
 *
 * <p>It is a Feistel network over the next even number of bits (Luby, Rackoff: "How to construct
 * pseudorandom permutations from pseudorandom functions", 1988). The network is applied until the
 * result is below the count (Black, Rogaway: "Ciphers with arbitrary finite domains", 2002). A
 * network mixes small counts badly; these are shuffled in an array.
 */
final class Permutation {
  private static final int ROUNDS = 8;
  private static final int ARRAY_LENGTH_MAX = 1 << 12;
  private static final int HALF_BITS_MIN = 1;

  private final long count;
  private final int halfBits;
  private final long[] keys = new long[ROUNDS];
  private final int[] few;

  /**
   * Makes the permutation.
   *
   * @param order whose seed and epoch determine the permutation
   */
  Permutation(long count, SeededOrder order) {
    this.count = count;
    boolean isSmall = count <= ARRAY_LENGTH_MAX;
    this.few = isSmall ? order.samples((int) count) : new int[0];
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, count - 1));
    this.halfBits = Math.max(HALF_BITS_MIN, (bits + 1) / 2);
    for (int round = 0; round < ROUNDS; round++) {
      keys[round] = order.key(round);
    }
  }

  /** The number at a place. */
  long at(long place) {
    if (place < 0 || place >= count) {
      throw new IndexOutOfBoundsException("place " + place + " of " + count);
    }
    if (few.length > 0) {
      return few[(int) place];
    }
    long number = place;
    do {
      number = encrypt(number);
    } while (number >= count);
    return number;
  }

  private long encrypt(long number) {
    long mask = (1L << halfBits) - 1;
    long left = number >>> halfBits;
    long right = number & mask;
    for (long key : keys) {
      long next = left ^ (SeededOrder.mix(right + key) >>> (Long.SIZE - halfBits));
      left = right;
      right = next & mask;
    }
    return left << halfBits | right;
  }
}
