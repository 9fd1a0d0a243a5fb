package dev.tarn.client.scan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleDigest;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Computes the digest of samples whose members may be in any order. Members in the order of their
 * extensions, as most writers have them, are digested as they are read; others are read a second
 * time.
 */
final class AnyOrderDigest {
  private static final int BUFFER_BYTES = 128 * 1024;

  /**
   * A member that was read.
   *
   * @param offset in the uncompressed shard
   * @param sampleOffset bytes of the sample before it
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
      String before = members.get(members.size() - 1).extension();
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
      byte[] buffer = new byte[BUFFER_BYTES];
      for (Member member : members) {
        digest.begin(member.extension(), member.size());
        update(member, buffer);
      }
      result = digest.finish();
    }
    members.clear();
    replay.clear();
    length = 0;
    ordered = true;
    return result;
  }

  private void update(Member member, byte[] buffer) throws IOException {
    long left = member.size();
    try (InputStream data = replay.open(member.offset(), member.sampleOffset(), left)) {
      while (left > 0) {
        int read = data.read(buffer, 0, (int) Math.min(buffer.length, left));
        if (read < 0) {
          throw new EOFException("the shard became shorter while it was read");
        }
        digest.update(ByteBuffer.wrap(buffer, 0, read));
        left -= read;
      }
    }
  }
}
