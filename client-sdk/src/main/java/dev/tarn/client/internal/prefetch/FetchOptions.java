package dev.tarn.client.internal.prefetch;

/**
 * How extents are fetched.
 *
 * @param usesIndexes whether existing indexes of whole shards are needed too
 * @param tolerates whether fetching continues after an extent that cannot be fetched
 * @param areOfFiles whether all shards are local files
 * @param hasLookahead whether a lookahead thread takes the parts, and waits until the consumer
 *     releases memory
 * @param gaps decides which gaps between wanted bytes are fetched
 */
public record FetchOptions(
    boolean usesIndexes, boolean tolerates, boolean areOfFiles, boolean hasLookahead, Gaps gaps) {}
