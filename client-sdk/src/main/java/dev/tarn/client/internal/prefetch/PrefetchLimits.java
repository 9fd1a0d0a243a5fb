package dev.tarn.client.internal.prefetch;

/**
 * Bounds of reading ahead.
 *
 * @param budgetBytes bytes in memory: under way, waiting, and held by the consumer. An eighth of it
 *     is left to members that straddle two parts, which the consumer must copy; only where those of
 *     one sample or block need more is the budget exceeded.
 * @param chunkBytes bytes of one request, at most
 * @param connections requests at a time
 * @param depth how many extents are fetched, or begun to be, ahead of the one that is read
 */
public record PrefetchLimits(long budgetBytes, int chunkBytes, int connections, int depth) {
  /** A depth of as much as there is room for. */
  public static final int UNBOUNDED_DEPTH = Integer.MAX_VALUE;

  /** Each is a thread. */
  private static final int CONNECTIONS_MAX = 1024;

  private static final int CHUNKS_OF_BUDGET = 16;
  private static final int COPIES_OF_BUDGET = 8;
  private static final int QUEUED_EIGHTHS_OF_BUDGET = 3;
  private static final int CHUNK_BYTES_MIN = 16 * 1024;
  private static final int CHUNK_BYTES_MAX = 4 << 20;

  /** Checks the bounds. */
  public PrefetchLimits {
    if (chunkBytes < 1 || budgetBytes < 2L * chunkBytes) {
      throw new IllegalArgumentException(
          "chunks of %d bytes in a budget of %d, expected room for two"
              .formatted(chunkBytes, budgetBytes));
    }
    if (connections < 1 || connections > CONNECTIONS_MAX) {
      throw new IllegalArgumentException(
          "connections is %d, expected 1 to %d".formatted(connections, CONNECTIONS_MAX));
    }
    if (depth < 0) {
      throw new IllegalArgumentException(
          "a prefetch depth of %d shards, expected 0 or more".formatted(depth));
    }
  }

  /**
   * Limits whose chunks suit the budget: large enough that a request's cost is lost in its bytes,
   * small enough that many fit.
   */
  public static PrefetchLimits of(long budgetBytes, int connections, int depth) {
    long chunk = Math.min(CHUNK_BYTES_MAX, budgetBytes / CHUNKS_OF_BUDGET);
    if (chunk < CHUNK_BYTES_MIN) {
      throw new IllegalArgumentException(
          "a memory budget of %d bytes, expected at least %d"
              .formatted(budgetBytes, (long) CHUNK_BYTES_MIN * CHUNKS_OF_BUDGET));
    }
    return new PrefetchLimits(budgetBytes, (int) chunk, connections, depth);
  }

  /** Bytes up to which parts are fetched ahead of what gathers blocks, which needs the rest. */
  long queuedBytesMax() {
    return budgetBytes / 8 * QUEUED_EIGHTHS_OF_BUDGET;
  }

  /** Bytes up to which parts are fetched. */
  long fetchedBytesMax() {
    return budgetBytes - budgetBytes / COPIES_OF_BUDGET;
  }
}
