package dev.tarn.sharder.pack;

/**
 * A run of a shard's samples that one worker reads together.
 *
 * @param shard the shard of the block
 * @param number of the block within its shard, from 0
 * @param from the number of its first member in the shard
 * @param to the number of the member after its last
 * @param samples the number of samples; a sample that is larger than a buffer has its own block
 * @param length its length in the shard, in bytes
 * @param isLast whether the shard ends with it
 */
record SampleBlock(
    ShardAssembly shard, int number, int from, int to, int samples, long length, boolean isLast) {}
