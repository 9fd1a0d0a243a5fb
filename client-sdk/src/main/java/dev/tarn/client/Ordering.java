package dev.tarn.client;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;

/**
 * What a user says about the order of epochs.
 *
 * @param shuffle how far it is from the order of the shards
 * @param seed what it depends on beside the datasets and the epoch
 * @param resampled whether samples are drawn, again and again, instead of each coming once
 * @param limit after how many samples an epoch ends, if before all have come
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
