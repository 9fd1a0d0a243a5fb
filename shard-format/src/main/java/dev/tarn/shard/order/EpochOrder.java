package dev.tarn.shard.order;

/**
 * Maps each position of an epoch to a sample of a dataset. It is a pure function: any position can
 * be computed without those before it. Immutable.
 */
public interface EpochOrder {
  /** The number of positions; {@link Long#MAX_VALUE} if the order is endless. */
  long length();

  /**
   * The block that holds a position.
   *
   * @throws IndexOutOfBoundsException if there is no such position
   */
  Block block(long position);

  /** How many samples must be read, at most, before the first of them can be delivered. */
  int readTogether();

  /**
   * Whether samples that are read together are spread over the shards, with gaps between most of
   * them.
   */
  default boolean isScattered() {
    return false;
  }
}
