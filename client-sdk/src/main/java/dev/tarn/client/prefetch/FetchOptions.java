package dev.tarn.client.prefetch;

/**
 * How extents are fetched.
 *
 * @param usesIndexes whether the indexes that there are are needed of whole shards, too
 * @param tolerates whether what follows an extent that cannot be fetched is fetched
 * @param gapBytesMax bound of the bytes that are read, all together, only because they lie between
 *     others
 */
public record FetchOptions(boolean usesIndexes, boolean tolerates, long gapBytesMax) {}
