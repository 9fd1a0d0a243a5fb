package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.sort.ByteCursor;
import dev.tarn.sharder.sort.GrowingBytes;
import java.util.ArrayList;
import java.util.List;

/** A sample while the plan is made. */
final class SampleDraft {
  /** Maximum bytes of a length or number as a varint. */
  private static final int LENGTH_MAX = 5;

  private final int set;
  private final byte[] key;
  private final List<Member> members = new ArrayList<>(4);
  private List<Member> existing = List.of();

  /**
   * A member.
   *
   * @param extension in lower case
   * @param spelledLength the length of the extension in its original case, in bytes
   * @param size of its file, in bytes
   * @param payload its {@link MemberPayload}
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

    boolean isUpperCase() {
      return MemberPayload.isSpelled(payload);
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

  /** Returns the key in quotes. */
  String printableKey() {
    return MemberNames.printable(MemberNames.decode(key));
  }

  /** Returns the members, in the byte order of their extensions. */
  List<Member> members() {
    return members;
  }

  /** Adds a member that is already in the dataset. */
  void addExisting(Member member) {
    if (existing.isEmpty()) {
      existing = new ArrayList<>(4);
    }
    existing.add(member);
  }

  /**
   * Returns the members of this key that the dataset already has, in the byte order of their
   * extensions.
   */
  List<Member> existing() {
    return existing;
  }

  /** Returns the total size of the members' files, in bytes. */
  long fileBytes() {
    long bytes = 0;
    for (Member member : members) {
      bytes += member.size();
    }
    return bytes;
  }

  /** Returns the total length of the members' names, in bytes. */
  long nameBytes() {
    long bytes = 0;
    for (Member member : members) {
      bytes += key.length + 1 + member.spelledLength();
    }
    return bytes;
  }

  /** Returns the sample's length in a shard, in bytes. */
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

  /** Returns an upper bound of the bytes that {@link #put} writes. */
  long planLengthMax() {
    long length = key.length + 2L * LENGTH_MAX;
    for (Member member : members) {
      length += (long) LENGTH_MAX + member.extension.length + member.payload.length;
    }
    return length;
  }

  /** Writes the sample in the format of a plan's block. */
  void put(GrowingBytes block) {
    block.putSized(key);
    block.putVarint(members.size());
    for (Member member : members) {
      block.putSized(member.extension);
      block.put(member.payload);
    }
  }
}
