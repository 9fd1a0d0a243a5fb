package dev.tarn.targetnode.store.residents;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * How an entry was used.
 *
 * @param last when the last reference was
 * @param intervals how many intervals between references are remembered, fewer than {@link
 *     #INTERVALS_MAX}
 * @param ticks the sum of these intervals
 */
public record Use(int last, int intervals, int ticks) {
  /** So many intervals are halved, so that a recent interval weighs more than an old one. */
  static final int INTERVALS_MAX = 8;

  /** An entry that is referenced for the first time. */
  static Use first(int now) {
    return new Use(now, 0, 0);
  }

  /**
   * After a reference now.
   *
   * @param oneReferenceTicks a reference not farther from the last one counts as the same
   */
  Use referenced(int now, int oneReferenceTicks) {
    long interval = Ticks.between(last, now);
    if (interval <= oneReferenceTicks) {
      return this;
    }
    int count = intervals + 1;
    int sum = (int) Math.min(Integer.MAX_VALUE, ticks + interval);
    return count < INTERVALS_MAX ? new Use(now, count, sum) : new Use(now, count / 2, sum / 2);
  }

  /** Writes it; the last reference by how long ago it was. */
  void writeTo(DataOutput out, int now) throws IOException {
    out.writeInt(now - last);
    out.writeInt(ticks);
    out.writeByte(intervals);
  }

  /** Reads what {@link #writeTo} wrote, as if it had been now. */
  static Use readFrom(DataInput in, int now) throws IOException {
    int ago = in.readInt();
    int ticks = in.readInt();
    return new Use(now - ago, in.readByte() & (INTERVALS_MAX - 1), ticks);
  }

  /** The ticks since the last reference. */
  long idle(int now) {
    return Ticks.between(last, now);
  }
}
