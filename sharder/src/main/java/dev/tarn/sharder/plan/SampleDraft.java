package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import java.util.ArrayList;
import java.util.List;

/** A sample on its way into the plan. */
final class SampleDraft {
  /** What a length or a number takes at most. */
  private static final int LENGTH_MAX = 5;

  private final int set;
  private final byte[] key;
  private final List<Member> members = new ArrayList<>(4);

  /** A member: its extension in lower case, and what {@link MemberPayload} says of it. */
  @SuppressWarnings("ArrayRecordComponent")
  record Member(byte[] extension, byte[] payload) {
    long size() {
      return MemberPayload.size(new ByteCursor(payload));
    }

    int spelledLength() {
      return MemberPayload.spelledLength(extension, new ByteCursor(payload));
    }

    PlannedMember planned(byte[] key) {
      return MemberPayload.member(key, extension, new ByteCursor(payload));
    }
  }

  /**
   * @param set the number of its set of shards
   */
  SampleDraft(int set, byte[] key) {
    this.set = set;
    this.key = key;
  }

  int set() {
    return set;
  }

  byte[] key() {
    return key;
  }

  /** The key in quotes. */
  String printableKey() {
    return MemberNames.printable(MemberNames.decode(key));
  }

  /** Those in the order of their extensions' bytes. */
  List<Member> members() {
    return members;
  }

  /** How many bytes the members' files have. */
  long fileBytes() {
    long bytes = 0;
    for (Member member : members) {
      bytes += member.size();
    }
    return bytes;
  }

  /** How many bytes the members' names have. */
  long nameBytes() {
    long bytes = 0;
    for (Member member : members) {
      bytes += key.length + 1 + member.spelledLength();
    }
    return bytes;
  }

  /** How many bytes it takes in a shard. */
  long tarLength() {
    long length = 0;
    for (Member member : members) {
      long size = member.size();
      length +=
          TarLayout.isShort(key.length + 1 + member.spelledLength(), size)
              ? TarLayout.BLOCK + size + TarLayout.padding(size)
              : TarLayout.memberLength(member.planned(key).nameBytes(), size);
    }
    return length;
  }

  /** How many bytes {@link #put} puts at most. */
  long planLengthMax() {
    long length = key.length + 2L * LENGTH_MAX;
    for (Member member : members) {
      length += (long) LENGTH_MAX + member.extension.length + member.payload.length;
    }
    return length;
  }

  /** Puts it as a plan's block has it. */
  void put(GrowingBytes block) {
    block.putSized(key);
    block.putVarint(members.size());
    for (Member member : members) {
      block.putSized(member.extension);
      block.put(member.payload);
    }
  }
}
