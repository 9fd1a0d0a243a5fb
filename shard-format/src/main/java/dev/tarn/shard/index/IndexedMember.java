package dev.tarn.shard.index;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.name.MemberNames;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A member in the index.
 *
 * @param name see {@link dev.tarn.shard.name.MemberNames}
 * @param extension identifies it in its sample; in lower case
 * @param offset of its data in the uncompressed shard
 * @param size of its data in bytes
 * @param crc32c of its data
 */
public record IndexedMember(String name, String extension, long offset, long size, int crc32c) {
  public IndexedMember {
    requireNonNull(name, "name is null");
    requireNonNull(extension, "extension is null");
    if (offset < 0 || size < 0) {
      throw new IllegalArgumentException("offset " + offset + ", size " + size);
    }
  }

  /**
   * Verifies its data, from the buffer's position to its limit, against its CRC32C.
   *
   * @param shard its name in messages
   * @throws ShardFormatException if the CRC32C differs
   */
  public void verify(String shard, ByteBuffer data) throws ShardFormatException {
    CRC32C crc = new CRC32C();
    crc.update(data);
    if ((int) crc.getValue() != crc32c) {
      throw new ShardFormatException(
          shard,
          offset,
          "member %s is corrupt: its CRC32C is %08x, the index has %08x"
              .formatted(MemberNames.printable(name), (int) crc.getValue(), crc32c));
    }
  }
}
