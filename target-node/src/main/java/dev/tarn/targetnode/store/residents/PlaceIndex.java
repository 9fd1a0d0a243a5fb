package dev.tarn.targetnode.store.residents;

import java.util.function.IntToLongFunction;

/**
 * Finds the places of residents by their ids: an open hash table of tags and places, off the heap.
 * Entries stand at, or closely behind, the cell that their tag selects, in the order of the tags'
 * cells. Not safe for use by many threads.
 */
final class PlaceIndex {
  static final int NONE = -1;

  private static final int CELLS_MIN = 16;
  private static final int CELL_BYTES = 8;

  private final IntToLongFunction ids;
  private OffHeapRecords cells = new OffHeapRecords(CELLS_MIN, CELL_BYTES);
  private int count;

  /**
   * An empty index.
   *
   * @param ids gives the id of the resident at a place
   */
  PlaceIndex(IntToLongFunction ids) {
    this.ids = ids;
  }

  long memoryBytes() {
    return cells.bytes();
  }

  /** The place of a resident, or {@link #NONE}. */
  int find(int tag, long id) {
    int cell = cell(tag, id);
    return cell == NONE ? NONE : place(cells.getLong(cell, 0));
  }

  private int cell(int tag, long id) {
    for (int cell = home(tag); ; cell = next(cell)) {
      long content = cells.getLong(cell, 0);
      if (content == 0) {
        return NONE;
      }
      if (tag(content) == tag && ids.applyAsLong(place(content)) == id) {
        return cell;
      }
    }
  }

  /**
   * Adds a resident that is not in the index.
   *
   * @param tag not 0
   */
  void add(int tag, int place) {
    if (count + 1 > cells.capacity() / 4 * 3) {
      resize(cells.capacity() / 2 * 3);
    }
    count++;
    insert(tag, place);
  }

  private void insert(int tag, int place) {
    int cell = home(tag);
    while (cells.getLong(cell, 0) != 0) {
      cell = next(cell);
    }
    cells.setLong(cell, 0, packed(tag, place));
  }

  private void resize(int capacity) {
    OffHeapRecords former = cells;
    cells = new OffHeapRecords(capacity, CELL_BYTES);
    for (int cell = 0; cell < former.capacity(); cell++) {
      long content = former.getLong(cell, 0);
      if (content != 0) {
        insert(tag(content), place(content));
      }
    }
  }

  /** A resident is at another place now. */
  void move(int tag, int from, int to) {
    int cell = home(tag);
    while (cells.getLong(cell, 0) != packed(tag, from)) {
      cell = next(cell);
    }
    cells.setLong(cell, 0, packed(tag, to));
  }

  /** Removes a resident that is in the index, and closes the gap behind it. */
  void remove(int tag, int place) {
    int gap = home(tag);
    while (cells.getLong(gap, 0) != packed(tag, place)) {
      gap = next(gap);
    }
    for (int cell = next(gap); cells.getLong(cell, 0) != 0; cell = next(cell)) {
      long content = cells.getLong(cell, 0);
      if (distance(home(tag(content)), cell) >= distance(gap, cell)) {
        cells.setLong(gap, 0, content);
        gap = cell;
      }
    }
    cells.setLong(gap, 0, 0);
    count--;
    if (cells.capacity() > CELLS_MIN && count < cells.capacity() / 4) {
      resize(Math.max(CELLS_MIN, cells.capacity() / 2));
    }
  }

  private int distance(int from, int to) {
    int distance = to - from;
    return distance < 0 ? distance + cells.capacity() : distance;
  }

  private int home(int tag) {
    return (int) ((Integer.toUnsignedLong(tag) * cells.capacity()) >>> 32);
  }

  private int next(int cell) {
    return cell + 1 == cells.capacity() ? 0 : cell + 1;
  }

  private static long packed(int tag, int place) {
    return ((long) tag << 32) | place;
  }

  private static int tag(long content) {
    return (int) (content >>> 32);
  }

  private static int place(long content) {
    return (int) content;
  }
}
