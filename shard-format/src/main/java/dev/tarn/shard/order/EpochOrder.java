package dev.tarn.shard.order;

/**
 * Which sample of a dataset comes at which position of an epoch. A pure function: any position can
 * be asked for without those before it. Immutable.
 */
public interface EpochOrder {
  /** How many positions there are; {@link Long#MAX_VALUE} if they have no end. */
  long length();

  /**
   * The block that holds a position.
   *
   * @throws IndexOutOfBoundsException if there is no such position
   */
  Block block(long position);

  /** How many samples are read, at most, before the first of them can be delivered. */
  int readTogether();

  /** Whether those lie all over the shards, so that there are gaps between most of them. */
  default boolean isScattered() {
    return false;
  }
}
