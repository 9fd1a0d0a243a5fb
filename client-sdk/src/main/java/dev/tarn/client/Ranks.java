package dev.tarn.client;

import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.Positions;
import java.util.Map;

/**
 * The rank of this consumer among several.
 *
 * @param rank from 0
 * @param ranks how many consumers there are
 * @param uneven what happens to samples that cannot be divided equally
 */
record Ranks(int rank, int ranks, Uneven uneven) {
  private static final String RANK = "RANK";
  private static final String WORLD_SIZE = "WORLD_SIZE";

  Ranks {
    if (ranks < 1 || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          "rank %d of %d: ranks are numbered from 0, and there is at least one"
              .formatted(rank, ranks));
    }
  }

  /**
   * Reads the variables of the launchers of training jobs; without them this is the only consumer.
   */
  static Ranks of(Map<String, String> environment, Uneven uneven) {
    String rank = environment.get(RANK);
    String ranks = environment.get(WORLD_SIZE);
    if (rank == null && ranks == null) {
      return new Ranks(0, 1, uneven);
    }
    if (rank == null || ranks == null) {
      throw new IllegalArgumentException(
          "of the variables %s and %s only %s is set: set both, or the rank in the program"
              .formatted(RANK, WORLD_SIZE, rank == null ? WORLD_SIZE : RANK));
    }
    int count = number(WORLD_SIZE, ranks, 1);
    int own = number(RANK, rank, 0);
    if (own >= count) {
      throw new IllegalArgumentException(
          "the variable %s is %d and %s is %d: ranks are numbered from 0, expected %s below %s"
              .formatted(RANK, own, WORLD_SIZE, count, RANK, WORLD_SIZE));
    }
    return new Ranks(own, count, uneven);
  }

  private static int number(String name, String text, int min) {
    int number;
    try {
      number = Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(wrong(name, text, min), e);
    }
    if (number < min) {
      throw new IllegalArgumentException(wrong(name, text, min));
    }
    return number;
  }

  private static String wrong(String name, String text, int min) {
    return "the variable %s is \"%s\", expected a whole number of %d or more; or set the rank in the program"
        .formatted(name, text, min);
  }

  Ranks with(Uneven other) {
    return new Ranks(rank, ranks, other);
  }

  /** Whether samples are repeated rather than left out. */
  boolean isPadded() {
    return uneven == Uneven.PAD;
  }

  /** Assigns this rank its part of some positions. */
  Assignment of(Positions positions) {
    return new Assignment(positions, rank, ranks, isPadded());
  }
}
