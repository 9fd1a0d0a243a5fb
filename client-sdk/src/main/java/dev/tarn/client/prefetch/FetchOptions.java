package dev.tarn.client.prefetch;

/**
 * How extents are fetched.
 *
 * @param usesIndexes whether the indexes that there are are needed of whole shards, too
 * @param tolerates whether what follows an extent that cannot be fetched is fetched
 * @param gapBytesMax bound of the bytes that are read, all together, only because they lie between
 *     others
 * @param headSamples so many must be there before the consumer gets its first one
 * @param headBytes about as many bytes as they have
 */
public record FetchOptions(
    boolean usesIndexes, boolean tolerates, long gapBytesMax, long headSamples, long headBytes) {}
