package dev.tarn.sharder.pack;

/**
 * What the index wants to know of members that were read, in the plan's order.
 *
 * @param crc32c of each member
 * @param digests of the samples, one after the other; see {@link
 *     dev.tarn.shard.sample.SampleDigest}
 */
@SuppressWarnings("ArrayRecordComponent")
record PackedMembers(int[] crc32c, byte[] digests) {}
