package dev.tarn.sharder.plan;

/**
 * Sorts members by the bytes of their keys, and those of one key by the bytes of their extensions.
 *
 * <p>A quicksort in three parts (Bentley and Sedgewick, "Fast Algorithms for Sorting and Searching
 * Strings", 1997) by eight bytes at a time: names share long beginnings, which are looked at once
 * for each member and not once for each comparison.
 */
final class MemberSort {
  private static final int SMALL = 12;

  private final MemberTable table;
  private final int[] members;
  private final long[] words;

  private MemberSort(MemberTable table, int[] members) {
    this.table = table;
    this.members = members;
    this.words = new long[members.length];
  }

  static void sort(MemberTable table, int[] members) {
    new MemberSort(table, members).sort(0, members.length, 0, true);
  }

  /**
   * Sorts those from one place to another, which are equal up to a depth.
   *
   * @param depth bytes of the key, or of the extension, that are equal
   */
  private void sort(int from, int to, int depth, boolean byKey) {
    if (to - from < 2) {
      return;
    }
    for (int i = from; i < to; i++) {
      words[i] = byKey ? table.keyWord(members[i], depth) : table.extensionWord(members[i], depth);
    }
    sortWords(from, to);
    int start = from;
    for (int i = from + 1; i <= to; i++) {
      if (i == to || words[i] != words[start]) {
        boolean ended = (words[start] & 0xff) == 0;
        if (!ended) {
          sort(start, i, depth + Long.BYTES, byKey);
        } else if (byKey) {
          sort(start, i, 0, false);
        }
        start = i;
      }
    }
  }

  private void sortWords(int first, int last) {
    int from = first;
    int to = last;
    while (to - from > SMALL) {
      long pivot = median(words[from], words[(from + to) >>> 1], words[to - 1]);
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
    int member = members[i];
    members[i] = members[j];
    members[j] = member;
    long word = words[i];
    words[i] = words[j];
    words[j] = word;
  }
}
