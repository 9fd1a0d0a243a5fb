package dev.tarn.client.internal.read;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Verifies the members of a shard against its index, in the order in which they are read. */
final class MemberChecksums {
  private final String shard;
  private final ShardIndex index;
  private final CRC32C crc = new CRC32C();
  private int next;

  MemberChecksums(String shard, ShardIndex index) {
    this.shard = shard;
    this.index = index;
  }

  /** Verifies the next member; leaves the position of its data unchanged. */
  void check(TarMember member, ByteBuffer data) throws ShardFormatException {
    int number = next++;
    if (number >= index.memberCount()
        || index.memberOffset(number) != member.dataOffset()
        || index.memberSize(number) != member.size()) {
      throw new ShardFormatException(
          shard,
          member.headerOffset(),
          "member %s is not where the index has it: index and shard are of different datasets"
              .formatted(MemberNames.printable(member.name())));
    }
    int start = data.position();
    crc.reset();
    crc.update(data);
    data.position(start);
    if ((int) crc.getValue() != index.memberCrc32c(number)) {
      throw new ShardFormatException(
          shard,
          member.dataOffset(),
          "member %s is corrupt: its CRC32C is %08x, the index has %08x"
              .formatted(
                  MemberNames.printable(member.name()),
                  (int) crc.getValue(),
                  index.memberCrc32c(number)));
    }
  }

  /** Verifies, after the last member, that the shard has as many members as the index. */
  void finish(long offset) throws ShardFormatException {
    if (next != index.memberCount()) {
      throw new ShardFormatException(
          shard,
          offset,
          "the shard ends after %d members, the index has %d".formatted(next, index.memberCount()));
    }
  }
}
