package dev.tarn.client;

/**
 * How far an epoch's order is from the order of the shards. It is always a pure function of the
 * dataset, the seed and the epoch, whatever the timing.
 */
public sealed interface Shuffle {
  /** Shards and samples in their order. */
  Shuffle NONE = new None();

  /** Shards in random order, the samples of each in their order. */
  Shuffle SHARDS = new Shards();

  /**
   * Every sample at any position of the epoch. Each is read by itself, so this is for fast storage
   * or large samples; the dataset needs indexes.
   */
  Shuffle FULL = new Full();

  /**
   * Shards in random order, then a buffer over them: their samples are gathered in blocks of about
   * so many bytes of uncompressed shard, and each block comes out in random order. A sample belongs
   * to the block in which its first header lies.
   *
   * <p>Unlike a buffer that trades one sample for another it lets any position of the epoch be
   * found again without the samples before it, and holds whole runs of memory instead of scattered
   * bits. What it trades: a sample moves within its block only, so samples that were packed near
   * each other stay within a block's length; pack with a seed (the sharder's {@code --seed}) so
   * that neighbours are random ones.
   *
   * <p>Where the shards have a manifest or kept indexes, blocks are of equal numbers of samples: as
   * many as have so many bytes by the mean of all, as they are stored.
   *
   * @param bytes length of a block: at least 1, and a quarter of the {@link
   *     DatasetBuilder#memoryBudget memory budget} at most
   * @throws IllegalArgumentException if it is less than 1; what is too much {@link
   *     DatasetBuilder#build} refuses
   */
  static Shuffle blocks(long bytes) {
    return new Blocks(bytes);
  }

  /** What checkpoints call it. */
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
