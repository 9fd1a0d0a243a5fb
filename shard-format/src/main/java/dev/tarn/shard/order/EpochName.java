package dev.tarn.shard.order;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What an epoch's order is a function of. Positions of two epochs mean the same samples if these
 * are equal.
 *
 * @param datasets the SHA-256 of each dataset's manifest, in hexadecimal digits
 * @param order how samples are put in order, such as {@code blocks:4096}
 * @param seed of the order
 * @param epoch its number
 * @param length how many positions it has
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
   * Makes sure that another epoch has the same order.
   *
   * @param who has this one, in the message
   * @throws IllegalArgumentException saying what differs
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
