package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.tar.TarLayout;
import java.util.BitSet;

/**
 * The members of one shard, numbered from 0 in its order; immutable. There may be many, so they are
 * views of the plan's bytes, and not kept as objects.
 */
public final class ShardPlan {
  /** What a member takes in memory beside the bytes of its shard's block. */
  static final long BYTES_PER_MEMBER = 2L * Integer.BYTES;

  private final PlannedShard shard;
  private final byte[] block;

  /** Where each member's extension begins in the block, behind its length. */
  private final int[] members;

  /** Where the key of each member's sample begins in the block, behind its length. */
  private final int[] keys;

  /** The numbers of the members that begin samples. */
  private final BitSet starts = new BitSet();

  private ShardPlan(PlannedShard shard, byte[] block) {
    this.shard = requireNonNull(shard, "shard is null");
    this.block = block;
    this.members = new int[shard.members()];
    this.keys = new int[shard.members()];
  }

  /**
   * Reads a block of samples: each its key, the number of its members, and of each of these its
   * extension and its payload.
   *
   * @throws IndexOutOfBoundsException if the block is not what the shard's entry says
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

  /** The plan's entry. */
  public PlannedShard shard() {
    return shard;
  }

  private ByteCursor at(int position) {
    ByteCursor cursor = new ByteCursor();
    cursor.set(block, position, block.length - position);
    return cursor;
  }

  /** A member. */
  public PlannedMember member(int number) {
    ByteCursor cursor = at(members[number]);
    byte[] extension = cursor.takeSized();
    return MemberPayload.member(at(keys[number]).takeSized(), extension, cursor);
  }

  /** The size of a member's file. */
  public long size(int number) {
    ByteCursor cursor = at(members[number]);
    cursor.skip(cursor.takeLength());
    return MemberPayload.size(cursor);
  }

  /** The number of the member behind the last of the sample that begins with this one. */
  public int sampleEnd(int first) {
    int next = starts.nextSetBit(first + 1);
    return next < 0 ? members.length : next;
  }

  /** How many bytes the sample that begins with this member takes in its shard. */
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
