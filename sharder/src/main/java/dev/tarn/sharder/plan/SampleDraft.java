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
  private List<Member> existing = List.of();

  /**
   * A member.
   *
   * @param extension in lower case
   * @param spelledLength how long the extension is as its name spells it
   * @param size of its file
   * @param payload what {@link MemberPayload} says of it
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Member(byte[] extension, int spelledLength, long size, byte[] payload) {
    static Member of(byte[] extension, byte[] payload) {
      return new Member(
          extension,
          MemberPayload.spelledLength(extension, new ByteCursor(payload)),
          MemberPayload.size(new ByteCursor(payload)),
          payload);
    }

    boolean isExisting() {
      return MemberPayload.source(payload) == MemberPayload.EXISTING;
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

  /** Takes a member that is in the dataset already. */
  void addExisting(Member member) {
    if (existing.isEmpty()) {
      existing = new ArrayList<>(4);
    }
    existing.add(member);
  }

  /** Those that the dataset has of this key already, in the order of their extensions' bytes. */
  List<Member> existing() {
    return existing;
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
