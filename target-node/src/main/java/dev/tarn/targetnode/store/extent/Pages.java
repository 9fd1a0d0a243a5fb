package dev.tarn.targetnode.store.extent;

import dev.tarn.targetnode.store.record.Unit;

/**
 * Consecutive pages of a unit.
 *
 * @param first counted from 0
 * @param last included
 */
public record Pages(int first, int last) {
  /** The size of every page but the last of an object, in bytes. */
  public static final int BYTES = 4096;

  public Pages {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException("pages " + first + " to " + last);
    }
  }

  /**
   * The pages that hold a range of a unit.
   *
   * @param length at least 1
   */
  public static Pages of(long offset, long length) {
    return new Pages((int) (offset / BYTES), (int) ((offset + length - 1) / BYTES));
  }

  /** The number of pages of a unit. */
  static int count(Unit unit) {
    return of(0, unit.length()).last + 1;
  }

  /** The number of pages. */
  public int count() {
    return last - first + 1;
  }

  /** The offset of the first byte in the unit. */
  public long begin() {
    return (long) first * BYTES;
  }

  /** The offset behind the last byte in the unit. */
  public long end(Unit unit) {
    return Math.min(unit.length(), (last + 1L) * BYTES);
  }
}
