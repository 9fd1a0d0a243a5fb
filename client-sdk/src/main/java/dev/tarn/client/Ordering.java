package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * The settings of the order of epochs.
 *
 * @param shuffle how the order differs from that of the shards
 * @param seed of the order
 * @param resampled whether samples are drawn at random instead of each being read once
 * @param limit after how many samples an epoch ends at the latest
 */
record Ordering(Shuffle shuffle, long seed, boolean resampled, OptionalLong limit) {
  Ordering {
    requireNonNull(shuffle, "shuffle is null");
    requireNonNull(limit, "limit is null");
    if (limit.isPresent() && limit.orElseThrow() < 0) {
      throw new IllegalArgumentException(
          "a limit of %d samples, expected 0 or more".formatted(limit.orElseThrow()));
    }
    if (resampled && !(shuffle instanceof Shuffle.Blocks || shuffle instanceof Shuffle.Full)) {
      throw new IllegalArgumentException(
          "resampling draws blocks, or samples by themselves: set a shuffle of blocks, or the full"
              + " one");
    }
  }
}
