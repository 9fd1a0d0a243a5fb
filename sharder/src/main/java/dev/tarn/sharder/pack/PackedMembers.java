package dev.tarn.sharder.pack;

import java.util.BitSet;

/**
 * Index data of members that were read, in the plan's order.
 *
 * @param crc32c the CRC32C of each member
 * @param digests the concatenated digests of the samples; see {@link
 *     dev.tarn.shard.sample.SampleDigest}
 * @param lost the numbers of the skipped samples, from the first of the block
 * @param length the length of the other samples in bytes, uncompressed
 */
@SuppressWarnings("ArrayRecordComponent")
record PackedMembers(int[] crc32c, byte[] digests, BitSet lost, long length) {}
