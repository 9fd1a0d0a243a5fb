package dev.tarn.shard.order;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * Everything that determines an epoch's order. If two names are equal, their positions mean the
 * same samples.
 *
 * @param datasets the SHA-256 of each dataset's manifest, in hexadecimal digits
 * @param order kind of order, such as {@code blocks:4096}
 * @param seed of the order
 * @param epoch number of the epoch
 * @param length number of positions
 */
public record EpochName(List<String> datasets, String order, long seed, long epoch, long length) {
  /** Checks the parts. */
  public EpochName {
    datasets = List.copyOf(datasets);
    requireNonNull(order, "order is null");
    if (length < 0) {
      throw new IllegalArgumentException("an epoch of " + length + " positions");
    }
  }

  /**
   * Requires that another epoch has the same order.
   *
   * @param who owner of this name, for the message
   * @throws IllegalArgumentException if they differ; the message says in what
   */
  public void requireSame(EpochName other, String who) {
    requireSame(datasets, other.datasets, who, "dataset");
    requireSame(order, other.order, who, "order");
    requireSame(seed, other.seed, who, "seed");
    requireSame(epoch, other.epoch, who, "epoch");
    requireSame(length, other.length, who, "length");
  }

  private static void requireSame(Object ours, Object other, String who, String what) {
    if (!ours.equals(other)) {
      throw new IllegalArgumentException(
          "%s is of the %s %s, not of %s: its positions mean other samples"
              .formatted(who, what, ours, other));
    }
  }
}
