package dev.tarn.client;

/**
 * How an epoch's order differs from the order of the shards. The order is a pure function of
 * dataset, seed and epoch, and never depends on timing.
 */
public sealed interface Shuffle {
  /** Shards and samples in stored order. */
  Shuffle NONE = new None();

  /** Shards in random order, the samples of each in stored order. */
  Shuffle SHARDS = new Shards();

  /**
   * Every sample at any position of the epoch. Each sample is read by itself, which suits fast
   * storage or large samples. The dataset needs indexes.
   */
  Shuffle FULL = new Full();

  /**
   * Shards in random order, cut into blocks of about {@code bytes} bytes of uncompressed shard;
   * each block is shuffled. A sample belongs to the block in which its first header lies.
   *
   * <p>Unlike a shuffle buffer that exchanges single samples, a block lets any position be found
   * without the samples before it, and keeps whole runs of memory. In return, a sample moves only
   * within its block: samples that are stored close to each other stay within a block's length.
   * Pack with a seed (the sharder's {@code --seed}), so that neighbours in a shard are random.
   *
   * <p>If the shards have a manifest or kept indexes, all blocks have the same number of samples,
   * computed from the mean stored length of all samples.
   *
   * @param bytes length of a block: at least 1, and at most a quarter of the {@link
   *     DatasetBuilder#memoryBudget memory budget}
   * @throws IllegalArgumentException if it is less than 1; {@link DatasetBuilder#build} throws if
   *     it is too large
   */
  static Shuffle blocks(long bytes) {
    return new Blocks(bytes);
  }

  /** The name in checkpoints. */
  String name();

  /** See {@link #NONE}. */
  record None() implements Shuffle {
    @Override
    public String name() {
      return "none";
    }
  }

  /** See {@link #SHARDS}. */
  record Shards() implements Shuffle {
    @Override
    public String name() {
      return "shards";
    }
  }

  /** See {@link #FULL}. */
  record Full() implements Shuffle {
    @Override
    public String name() {
      return "full";
    }
  }

  /**
   * See {@link #blocks}.
   *
   * @param bytes length of a block
   */
  record Blocks(long bytes) implements Shuffle {
    /** Checks the length. */
    public Blocks {
      if (bytes < 1) {
        throw new IllegalArgumentException(
            "blocks of %d bytes, expected at least 1".formatted(bytes));
      }
    }

    @Override
    public String name() {
      return "blocks";
    }
  }
}
