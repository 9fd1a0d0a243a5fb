package dev.tarn.sharder.pack;

/**
 * A run of a shard's samples that one worker reads at once.
 *
 * @param shard where it belongs
 * @param number of the block within its shard, from 0
 * @param from the shard's number of its first member
 * @param to the shard's number of the member behind its last
 * @param samples how many it has; a single one if it is larger than a buffer
 * @param length how many bytes it takes in the shard
 * @param isLast whether the shard ends with it
 */
record SampleBlock(
    ShardAssembly shard, int number, int from, int to, int samples, long length, boolean isLast) {}
