package dev.tarn.sharder.sort;

import java.util.Arrays;

/**
 * Sorts records by their bytes.
 *
 * <p>A three-way quicksort (Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching
 * Strings", 1997) on eight bytes at a time. Names share long prefixes; each is read once per
 * record, not once per comparison.
 *
 * <p>A generator draws the positions of the pivots. Files are often listed in an order, or in
 * several consecutive orders; there, fixed positions would repeatedly select the least word.
 */
final class RecordSort {
  private static final int SMALL = 12;

  private final RecordBuffer buffer;
  private final int[] records;
  private final int count;
  private final long[] words;
  private long drawn;

  RecordSort(RecordBuffer buffer, int[] records, int count) {
    this.buffer = buffer;
    this.records = records;
    this.count = count;
    this.words = new long[count];
  }

  void sort() {
    sort(0, count, 0);
  }

  /** Sorts the records of a range whose first {@code equal} bytes are the same. */
  private void sort(int from, int to, int equal) {
    int depth = equal;
    while (to - from > SMALL) {
      for (int i = from; i < to; i++) {
        words[i] = buffer.word(records[i], depth);
      }
      sortWords(from, to);
      depth += Long.BYTES;
      if (words[from] != words[to - 1]) {
        sortRuns(from, to, depth);
        return;
      }
      if (buffer.length(records[from]) <= depth) {
        return;
      }
    }
    sortFew(from, to, depth);
  }

  /** Sorts the runs of records with equal words by their following bytes. */
  private void sortRuns(int from, int to, int depth) {
    int start = from;
    for (int i = from + 1; i <= to; i++) {
      if (i == to || words[i] != words[start]) {
        if (i - start > 1 && buffer.length(records[start]) > depth) {
          sort(start, i, depth);
        }
        start = i;
      }
    }
  }

  private void sortFew(int from, int to, int depth) {
    for (int i = from + 1; i < to; i++) {
      for (int j = i; j > from && compare(records[j], records[j - 1], depth) < 0; j--) {
        int record = records[j];
        records[j] = records[j - 1];
        records[j - 1] = record;
      }
    }
  }

  private int compare(int left, int right, int depth) {
    int leftStart = RecordBuffer.offset(left);
    int rightStart = RecordBuffer.offset(right);
    return Arrays.compareUnsigned(
        buffer.array(left),
        leftStart + Math.min(depth, buffer.length(left)),
        leftStart + buffer.length(left),
        buffer.array(right),
        rightStart + Math.min(depth, buffer.length(right)),
        rightStart + buffer.length(right));
  }

  private void sortWords(int first, int last) {
    int from = first;
    int to = last;
    while (to - from > SMALL) {
      long pivot = median(drawWord(from, to), drawWord(from, to), drawWord(from, to));
      int less = from;
      int more = to;
      for (int i = from; i < more; ) {
        int order = Long.compareUnsigned(words[i], pivot);
        if (order < 0) {
          swap(less++, i++);
        } else if (order > 0) {
          swap(i, --more);
        } else {
          i++;
        }
      }
      if (less - from < to - more) {
        sortWords(from, less);
        from = more;
      } else {
        sortWords(more, to);
        to = less;
      }
    }
    for (int i = from + 1; i < to; i++) {
      for (int j = i; j > from && Long.compareUnsigned(words[j], words[j - 1]) < 0; j--) {
        swap(j, j - 1);
      }
    }
  }

  /** Returns a random word of a range (Knuth's linear congruential generator of MMIX). */
  private long drawWord(int from, int to) {
    drawn = drawn * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
    return words[from + (int) Math.unsignedMultiplyHigh(drawn, to - from)];
  }

  private static long median(long a, long b, long c) {
    boolean ab = Long.compareUnsigned(a, b) < 0;
    boolean bc = Long.compareUnsigned(b, c) < 0;
    boolean ac = Long.compareUnsigned(a, c) < 0;
    if (ab == bc) {
      return b;
    }
    return ab == ac ? c : a;
  }

  private void swap(int i, int j) {
    int record = records[i];
    records[i] = records[j];
    records[j] = record;
    long word = words[i];
    words[i] = words[j];
    words[j] = word;
  }
}
