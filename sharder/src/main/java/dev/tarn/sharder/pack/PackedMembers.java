package dev.tarn.sharder.pack;

import java.util.BitSet;

/**
 * What the index wants to know of members that were read, in the plan's order.
 *
 * @param crc32c of each member
 * @param digests of the samples, one after the other; see {@link
 *     dev.tarn.shard.sample.SampleDigest}
 * @param lost the numbers of the samples that were left out, from the block's first
 * @param length how many bytes the others take, uncompressed
 */
@SuppressWarnings("ArrayRecordComponent")
record PackedMembers(int[] crc32c, byte[] digests, BitSet lost, long length) {}
