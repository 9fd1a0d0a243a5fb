package dev.tarn.sharder.verify;

import dev.tarn.client.scan.ShardScan;
import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.verify.Problem.Kind;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Compares the samples of a shard, in order, with those in its index. */
final class SampleComparison implements ShardScan.Samples {
  /** Maximum number of problems about wrong data; one more gives the number of the others. */
  private static final int WRONG_MEMBERS_MAX = 10;

  private final ShardPlace shard;
  private final List<Problem> problems;
  private final MessageDigest digests = Sha256.newDigest();

  /** Null after it differed from the shard: further comparisons would be meaningless. */
  private @Nullable ShardIndex index;

  private int samples;
  private int members;
  private long wrongMembers;
  private boolean isSampleWrong;

  SampleComparison(ShardPlace shard, @Nullable ShardIndex index, List<Problem> problems) {
    this.shard = shard;
    this.index = index;
    this.problems = problems;
  }

  @Override
  public void member(TarMember member, boolean isFirst, int crc32c) {
    IndexedMember indexed = index == null ? null : indexed(index, member, isFirst);
    members++;
    if (indexed != null && indexed.crc32c() != crc32c) {
      isSampleWrong = true;
      wrongMembers++;
      if (wrongMembers <= WRONG_MEMBERS_MAX) {
        problems.add(
            Problem.of(
                Kind.MEMBER_CRC32C,
                shard,
                "the data of member %s at byte %d does not match the index"
                    .formatted(MemberNames.printable(member.name()), member.dataOffset())));
      }
    }
  }

  @Override
  public void end(byte[] digest) {
    digests.update(digest);
    if (index != null && !isSampleWrong && !Arrays.equals(index.sampleDigest(samples), digest)) {
      differs("the digest of sample %d does not match the shard".formatted(samples));
    }
    isSampleWrong = false;
    samples++;
  }

  /** Returns the index entry of this member; null if the index has another member in its place. */
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
    problems.add(Problem.of(Kind.INDEX_DIFFERS, shard.index().printable(), text));
    index = null;
  }

  /** Adds the problems that are known only after the whole shard was read. */
  void finish(ShardScan scan) {
    if (wrongMembers > WRONG_MEMBERS_MAX) {
      problems.add(
          Problem.of(
              Kind.MEMBER_CRC32C,
              shard,
              "so is the data of %,d more members".formatted(wrongMembers - WRONG_MEMBERS_MAX)));
    }
    if (index != null && members < index.memberCount()) {
      differs("the index has %d members, the shard %d".formatted(index.memberCount(), members));
    } else if (index != null && scan.length() != index.shardLength()) {
      differs("the index is of a shard of %d bytes".formatted(index.shardLength()));
    } else if (index != null && !index.restarts().equals(scan.restarts())) {
      differs("the index names other places where the compressed shard can be entered");
    }
    compareWithManifest();
  }

  private void compareWithManifest() {
    if (shard.entry().isEmpty()) {
      return;
    }
    ShardEntry entry = shard.entry().orElseThrow();
    if (samples != entry.samples() || members != entry.members()) {
      problems.add(
          Problem.of(
              Kind.SHARD_COUNT,
              shard,
              "there are %d samples of %d members, the manifest says %d of %d"
                  .formatted(samples, members, entry.samples(), entry.members())));
    }
    Sha256 found = Sha256.of(digests.digest());
    if (!found.equals(entry.samplesSha256())) {
      problems.add(
          Problem.of(
              Kind.SAMPLES_SHA256,
              shard,
              "the SHA-256 of the samples' digests is %s, the manifest says %s"
                  .formatted(found, entry.samplesSha256())));
    }
  }
}
