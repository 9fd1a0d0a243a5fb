package dev.tarn.sharder.pack;

import dev.tarn.shard.manifest.Sha256;
import java.util.List;

/**
 * What the index wants to know of a sample.
 *
 * @param members in order
 * @param digest see {@link dev.tarn.shard.sample.SampleDigest}
 */
record PackedSample(List<Member> members, Sha256 digest) {
  /**
   * A member.
   *
   * @param offset where its data begins, within the segment
   */
  record Member(String name, long offset, long size, int crc32c) {}
}
