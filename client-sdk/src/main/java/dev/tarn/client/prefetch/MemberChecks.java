package dev.tarn.client.prefetch;

import dev.tarn.shard.index.ShardIndex;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Holds the members that lie within a part against the index while the part arrives and is in the
 * processor's cache. Those that straddle two parts, and all behind one that does not fit, are left
 * to who reads them, and who says what is wrong.
 */
final class MemberChecks {
  /**
   * Members of a shard that fit its index.
   *
   * @param from the number of the first
   * @param to behind the last
   */
  record Checked(int from, int to) {
    static final Checked NONE = new Checked(0, 0);

    boolean has(int number) {
      return number >= from && number < to;
    }
  }

  /** For parts of which nothing is known to hold them against. */
  static final MemberChecks NONE = new MemberChecks(null, 0, ByteBuffer.allocate(0), 0);

  private final @Nullable ShardIndex index;
  private final long offset;
  private final ByteBuffer part;
  private final CRC32C crc = new CRC32C();
  private final int from;
  private int to;

  private MemberChecks(@Nullable ShardIndex index, long offset, ByteBuffer part, int from) {
    this.index = index;
    this.offset = offset;
    this.part = part;
    this.from = from;
    this.to = from;
  }

  /**
   * Checks to make.
   *
   * @param index of the shard, which is not compressed
   * @param offset where the part begins in the shard
   * @param part which bytes arrive in, from 0 on
   */
  static MemberChecks of(ShardIndex index, long offset, ByteBuffer part) {
    return new MemberChecks(index, offset, part.duplicate(), firstFrom(index, offset));
  }

  private static int firstFrom(ShardIndex index, long offset) {
    int low = 0;
    int high = index.memberCount();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (index.memberOffset(middle) < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Checks those that have arrived, now that so many bytes of the part have. */
  void arrived(int bytes) {
    ShardIndex held = index;
    if (held == null) {
      return;
    }
    while (to < held.memberCount()) {
      long start = held.memberOffset(to) - offset;
      long size = held.memberSize(to);
      if (start < 0 || size < 0 || start > bytes || size > bytes - start) {
        return;
      }
      crc.reset();
      crc.update(part.limit((int) (start + size)).position((int) start));
      if ((int) crc.getValue() != held.memberCrc32c(to)) {
        return;
      }
      to++;
    }
  }

  /** Those that fit the index. */
  Checked checked() {
    return new Checked(from, to);
  }
}
