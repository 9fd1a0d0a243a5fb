package dev.tarn.targetnode.store.extent;

import java.util.BitSet;

/**
 * Which pages of a unit are in its file, and which were asked for since they were last looked
 * through. Safe for use by many threads.
 */
final class PageSet {
  private final int pages;
  private final BitSet present;
  private final BitSet asked;
  private int removals;

  PageSet(int pages) {
    this.pages = pages;
    this.present = new BitSet(pages);
    this.asked = new BitSet(pages);
  }

  /** The number of pages that are present. */
  synchronized int count() {
    return present.cardinality();
  }

  /** Whether all of these are present. */
  synchronized boolean hasAll(Pages wanted) {
    return present.nextClearBit(wanted.first()) > wanted.last();
  }

  /**
   * What a reader finds.
   *
   * @param absentFirst the first page that is absent; behind the last wanted one if none is
   * @param absentLast the last page that is absent; before the first wanted one if none is
   * @param askedBefore whether an absent page was asked for before
   * @param removals to be compared by {@link #isUnchanged}
   */
  record Look(int absentFirst, int absentLast, boolean askedBefore, int removals) {}

  /** Looks at pages that a reader asks for. */
  synchronized Look ask(Pages wanted) {
    int absentFirst = present.nextClearBit(wanted.first());
    int absentLast = present.previousClearBit(wanted.last());
    boolean isAbsent = absentFirst <= wanted.last();
    int askedFirst = isAbsent ? asked.nextSetBit(absentFirst) : -1;
    asked.set(wanted.first(), wanted.last() + 1);
    return new Look(
        isAbsent ? absentFirst : wanted.last() + 1,
        isAbsent ? absentLast : wanted.first() - 1,
        askedFirst >= 0 && askedFirst <= absentLast,
        removals);
  }

  /** Whether no page was removed since a look: the bytes that were read are those of the pages. */
  synchronized boolean isUnchanged(Look look) {
    return look.removals == removals;
  }

  /** Pages are present, and count as asked for; returns how many were not present. */
  synchronized int add(Pages added) {
    int before = present.cardinality();
    present.set(added.first(), added.last() + 1);
    asked.set(added.first(), added.last() + 1);
    return present.cardinality() - before;
  }

  /** Removes a page, if it is there. */
  synchronized void remove(int page) {
    present.clear(page);
    removals++;
  }

  /** Removes the pages that nobody has asked for since the last such look, and returns them. */
  synchronized BitSet removeUnasked() {
    BitSet unasked = (BitSet) present.clone();
    unasked.andNot(asked);
    asked.clear();
    present.andNot(unasked);
    removals += unasked.isEmpty() ? 0 : 1;
    return unasked;
  }

  /** Removes all pages. */
  synchronized void clear() {
    present.clear();
    removals++;
  }

  /** The pages that are present, as bits. */
  synchronized BitSet present() {
    return (BitSet) present.clone();
  }

  int pages() {
    return pages;
  }
}
