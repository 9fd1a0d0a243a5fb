package dev.tarn.client.internal.prefetch;

/**
 * Bounds of reading ahead.
 *
 * @param budgetBytes bound of the memory for parts that are fetched, queued or held by the
 *     consumer. An eighth of it is reserved for copies of members that straddle two parts. Only
 *     copies of a single sample or block may exceed the budget.
 * @param chunkBytes bound of one request
 * @param connections requests at a time
 * @param depth how many extents are fetched or opened ahead of the current one
 */
public record PrefetchLimits(long budgetBytes, int chunkBytes, int connections, int depth) {
  /** A depth that only the budget bounds. */
  public static final int UNBOUNDED_DEPTH = Integer.MAX_VALUE;

  /** Each connection is a thread. */
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
   * Limits with a chunk length that suits the budget: long enough that the cost of a request is
   * small, short enough that many chunks fit.
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

  /**
   * Bound of the parts in the queue while a lookahead thread needs the rest for blocks, in bytes.
   */
  long queuedBytesMax() {
    return budgetBytes / 8 * QUEUED_EIGHTHS_OF_BUDGET;
  }

  /** Bound of all parts, in bytes. */
  long fetchedBytesMax() {
    return budgetBytes - budgetBytes / COPIES_OF_BUDGET;
  }
}
