package dev.tarn.shard.order;

import static java.util.Objects.requireNonNull;

/**
 * What a rank has of the positions that are to be consumed: a contiguous part, as long as that of
 * every other rank.
 *
 * @param positions of all ranks together
 * @param rank from 0
 * @param ranks how many there are
 * @param padded whether the first positions come again in the last parts where they do not go into
 *     equal ones; or else the last of them, fewer than there are ranks, are left out
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

  /** How many positions each rank consumes. */
  public long length() {
    long count = positions.count();
    // An epoch without end has nothing left over.
    boolean isPadded = padded && count % ranks != 0 && count < Long.MAX_VALUE;
    return count / ranks + (isPadded ? 1 : 0);
  }

  /** The positions of this rank that no other has. */
  public Positions own() {
    long count = positions.count();
    return positions.slice(
        Math.min(count, rank * length()), Math.min(count, (rank + 1) * length()));
  }

  /** The positions that this rank consumes after its own, and others too. */
  public Positions padding() {
    long missing = length() - own().count();
    return positions.slice(0, missing);
  }

  /** The positions that no rank has. */
  public Positions dropped() {
    long count = positions.count();
    return positions.slice(Math.min(count, ranks * length()), count);
  }
}
