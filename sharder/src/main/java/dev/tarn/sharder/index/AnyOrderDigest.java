package dev.tarn.sharder.index;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleDigest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The digest of samples whose members come in any order. Those that come in the order of their
 * extensions, as most writers have them, are digested as they come; the others a second time.
 */
final class AnyOrderDigest {
  private static final int BUFFER_BYTES = 128 * 1024;

  /**
   * A member that was read.
   *
   * @param offset in the uncompressed shard
   * @param sampleOffset how many bytes of the sample came before
   */
  private record Member(String extension, long size, long offset, long sampleOffset) {}

  private final SampleReplay replay;
  private final SampleDigest digest = new SampleDigest();
  private final List<Member> members = new ArrayList<>();
  private boolean ordered = true;
  private long length;

  AnyOrderDigest(SampleReplay replay) {
    this.replay = replay;
  }

  void begin(String extension, long size, long offset) {
    if (!members.isEmpty()) {
      String before = members.getLast().extension();
      ordered = ordered && MemberNames.compare(before, extension) < 0;
    }
    members.add(new Member(extension, size, offset, length));
    length += size;
    if (ordered) {
      digest.begin(extension, size);
    }
  }

  void update(ByteBuffer data) throws IOException {
    replay.append(data);
    if (ordered) {
      digest.update(data);
    }
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  byte[] finish() throws IOException {
    byte[] result = digest.finish();
    if (!ordered) {
      members.sort(Comparator.comparing(Member::extension, MemberNames::compare));
      ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
      for (Member member : members) {
        digest.begin(member.extension(), member.size());
        for (long at = 0; at < member.size(); at += buffer.limit()) {
          buffer.clear().limit((int) Math.min(buffer.capacity(), member.size() - at));
          replay.read(member.offset() + at, member.sampleOffset() + at, buffer);
          digest.update(buffer.flip());
        }
      }
      result = digest.finish();
    }
    members.clear();
    replay.clear();
    length = 0;
    ordered = true;
    return result;
  }
}
