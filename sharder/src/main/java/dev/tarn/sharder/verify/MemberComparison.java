package dev.tarn.sharder.verify;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.inspect.ShardPlace;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.verify.Problem.Kind;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** Compares a shard's members, as they come, with those that its index has. */
final class MemberComparison {
  private static final int BUFFER_BYTES = 128 * 1024;

  /** Wrong data is named up to so many times; that there is more, once. */
  private static final int WRONG_MEMBERS_MAX = 10;

  private final ShardPlace shard;
  private final List<Problem> problems;
  private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
  private final CRC32C crc = new CRC32C();

  /** Null from where on it has nothing to do with the shard. */
  private @Nullable ShardIndex index;

  private int samples;
  private int members;
  private long wrongMembers;

  MemberComparison(ShardPlace shard, @Nullable ShardIndex index, List<Problem> problems) {
    this.shard = shard;
    this.index = index;
    this.problems = problems;
  }

  /** Reads all members. */
  void read(TarReader reader, Progress progress) throws IOException {
    SampleGrouping grouping = new SampleGrouping(shard.toString());
    for (TarMember member; (member = reader.next()) != null; ) {
      SampleGrouping.Place place = grouping.add(member);
      if (place != SampleGrouping.Place.OUTSIDE) {
        read(reader, member, place == SampleGrouping.Place.FIRST);
        progress.add(1, 0);
      }
    }
  }

  private void read(TarReader reader, TarMember member, boolean first) throws IOException {
    IndexedMember indexed = index == null ? null : indexed(index, member, first);
    samples += first ? 1 : 0;
    members++;
    crc.reset();
    while (reader.read(buffer.clear()) >= 0) {
      crc.update(buffer.flip());
    }
    if (indexed != null && indexed.crc32c() != (int) crc.getValue()) {
      wrongMembers++;
      if (wrongMembers <= WRONG_MEMBERS_MAX) {
        problems.add(
            Problem.of(
                Kind.MEMBER_CRC32C,
                shard,
                "the data of member %s at byte %d is not what the index says"
                    .formatted(MemberNames.printable(member.name()), member.dataOffset())));
      }
    }
  }

  /** What the index has in the place of this member; null if that is another. */
  private @Nullable IndexedMember indexed(ShardIndex index, TarMember member, boolean first) {
    String instead;
    try {
      if (members == index.memberCount()) {
        instead = "has no more members";
      } else {
        IndexedMember indexed = index.member(members);
        boolean firstInIndex =
            samples < index.sampleCount() && index.sampleStart(samples) == members;
        boolean isSame =
            indexed.name().equals(member.name())
                && indexed.offset() == member.dataOffset()
                && indexed.size() == member.size()
                && firstInIndex == first;
        if (isSame) {
          return indexed;
        }
        instead =
            "has member %s of %d bytes at byte %d"
                .formatted(MemberNames.printable(indexed.name()), indexed.size(), indexed.offset());
      }
    } catch (ShardFormatException e) {
      instead = "is corrupt there: " + e.getMessage();
    }
    differs(
        "where the shard has member %s of %d bytes at byte %d, the index %s"
            .formatted(
                MemberNames.printable(member.name()), member.size(), member.dataOffset(), instead));
    return null;
  }

  private void differs(String text) {
    problems.add(Problem.of(Kind.INDEX_DIFFERS, shard.index(), text));
    index = null;
  }

  /**
   * Says what shows only when all was read.
   *
   * @param length of the uncompressed shard
   */
  void finish(long length) {
    if (wrongMembers > WRONG_MEMBERS_MAX) {
      problems.add(
          Problem.of(
              Kind.MEMBER_CRC32C,
              shard,
              "so is the data of %,d more members".formatted(wrongMembers - WRONG_MEMBERS_MAX)));
    }
    if (index != null && members < index.memberCount()) {
      differs("the index has %d members, the shard %d".formatted(index.memberCount(), members));
    } else if (index != null && length != index.shardLength()) {
      differs("the index is of a shard of %d bytes".formatted(index.shardLength()));
    }
  }

  int samples() {
    return samples;
  }

  int members() {
    return members;
  }
}
