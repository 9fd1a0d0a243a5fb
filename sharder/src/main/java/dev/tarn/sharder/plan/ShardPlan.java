package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.sort.ByteCursor;
import java.util.BitSet;

/**
 * The members of one shard, numbered from 0 in its order. Immutable. A shard may have many members,
 * so they are views of the plan's bytes instead of stored objects.
 */
public final class ShardPlan {
  /** Memory per member in bytes, in addition to the shard's block. */
  static final long BYTES_PER_MEMBER = 2L * Integer.BYTES;

  private final PlannedShard shard;
  private final byte[] block;

  /** Offset in the block of each member's extension, whose length comes first. */
  private final int[] members;

  /** Offset in the block of the key of each member's sample; the key's length comes first. */
  private final int[] keys;

  /** The numbers of the members that start samples. */
  private final BitSet starts = new BitSet();

  private ShardPlan(PlannedShard shard, byte[] block) {
    this.shard = requireNonNull(shard, "shard is null");
    this.block = block;
    this.members = new int[shard.members()];
    this.keys = new int[shard.members()];
  }

  /**
   * Reads a block of samples. A sample is its key, the number of its members, and the extension and
   * payload of each member.
   *
   * @throws IndexOutOfBoundsException if the block does not match the shard's entry
   */
  static ShardPlan of(PlannedShard shard, byte[] block) {
    ShardPlan plan = new ShardPlan(shard, block);
    ByteCursor cursor = new ByteCursor(block);
    int number = 0;
    for (int sample = 0; sample < shard.samples(); sample++) {
      int key = cursor.position();
      cursor.skip(cursor.takeLength());
      plan.starts.set(number);
      for (long left = cursor.takeVarint(); left > 0; left--) {
        plan.keys[number] = key;
        plan.members[number++] = cursor.position();
        cursor.skip(cursor.takeLength());
        MemberPayload.skip(cursor);
      }
    }
    if (number != shard.members() || !cursor.isAtEnd()) {
      throw new IndexOutOfBoundsException("the shard has other members than planned");
    }
    return plan;
  }

  /** Returns the plan's entry. */
  public PlannedShard shard() {
    return shard;
  }

  private ByteCursor at(int position) {
    ByteCursor cursor = new ByteCursor();
    cursor.set(block, position, block.length - position);
    return cursor;
  }

  public PlannedMember member(int number) {
    ByteCursor cursor = at(members[number]);
    byte[] extension = cursor.takeSized();
    return MemberPayload.member(at(keys[number]).takeSized(), extension, cursor);
  }

  /** Returns the size of a member's file, in bytes. */
  public long size(int number) {
    ByteCursor cursor = at(members[number]);
    cursor.skip(cursor.takeLength());
    return MemberPayload.size(cursor);
  }

  /**
   * Returns the number of the member after the last one of the sample that starts with this member.
   */
  public int sampleEnd(int first) {
    int next = starts.nextSetBit(first + 1);
    return next < 0 ? members.length : next;
  }

  /** Returns the length in its shard, in bytes, of the sample that starts with this member. */
  public long sampleLength(int first) {
    long length = 0;
    int keyLength = at(keys[first]).takeLength();
    for (int number = first; number < sampleEnd(first); number++) {
      ByteCursor cursor = at(members[number]);
      byte[] extension = cursor.takeSized();
      int start = cursor.position();
      long size = MemberPayload.size(cursor);
      cursor = at(start);
      int nameLength = keyLength + 1 + MemberPayload.spelledLength(extension, cursor);
      length +=
          TarLayout.isShort(nameLength, size)
              ? TarLayout.BLOCK + size + TarLayout.padding(size)
              : TarLayout.memberLength(member(number).nameBytes(), size);
    }
    return length;
  }
}
