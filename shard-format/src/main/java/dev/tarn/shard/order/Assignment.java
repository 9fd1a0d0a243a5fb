package dev.tarn.shard.order;

import static java.util.Objects.requireNonNull;

/**
 * The positions that one rank reads: a contiguous part, of the same length for every rank.
 *
 * @param positions of all ranks together
 * @param rank from 0
 * @param ranks how many ranks there are
 * @param padded what happens if the positions do not divide equally: if true, the first positions
 *     are read once more in the last parts; otherwise the last positions, fewer than ranks, are
 *     left out
 */
public record Assignment(Positions positions, int rank, int ranks, boolean padded) {
  /** Checks the rank. */
  public Assignment {
    requireNonNull(positions, "positions is null");
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          "rank %d of %d: ranks are numbered from 0, and there is at least one"
              .formatted(rank, ranks));
    }
  }

  /** How many positions each rank reads. */
  public long length() {
    long count = positions.count();
    // An endless epoch leaves no remainder.
    boolean isPadded = padded && count % ranks != 0 && count < Long.MAX_VALUE;
    return count / ranks + (isPadded ? 1 : 0);
  }

  /** The positions that only this rank reads. */
  public Positions own() {
    long count = positions.count();
    return positions.slice(
        Math.min(count, rank * length()), Math.min(count, (rank + 1) * length()));
  }

  /** The positions that this rank reads after its own, and that other ranks read too. */
  public Positions padding() {
    long missing = length() - own().count();
    if (missing == 0) {
      return Positions.NONE;
    }
    long readByOthers = Math.max(0, rank * length() - positions.count());
    long first = readByOthers % positions.count();
    return positions.slice(first, first + missing);
  }

  /** The positions that no rank reads. */
  public Positions dropped() {
    long count = positions.count();
    return positions.slice(Math.min(count, ranks * length()), count);
  }
}
