package dev.tarn.sharder.sort;

import java.io.IOException;
import java.util.List;

/** Merges sorted runs with a heap; the run with the least record is at the top. */
final class MergedRuns implements SortedRecords {
  private final SortedRun[] heap;
  private int size;
  private boolean begun;

  MergedRuns(List<SortedRun> runs) {
    heap = runs.toArray(SortedRun[]::new);
  }

  @Override
  public boolean next() throws IOException {
    if (!begun) {
      begin();
    } else if (size > 0 && heap[0].next()) {
      sink(0);
    } else if (size > 0) {
      heap[0] = heap[--size];
      sink(0);
    }
    return size > 0;
  }

  private void begin() throws IOException {
    begun = true;
    for (SortedRun run : heap) {
      if (run.next()) {
        heap[size++] = run;
      }
    }
    for (int i = size / 2 - 1; i >= 0; i--) {
      sink(i);
    }
  }

  private void sink(int from) {
    int at = from;
    SortedRun run = heap[at];
    while (2 * at + 1 < size) {
      int least = 2 * at + 1;
      if (least + 1 < size && heap[least + 1].compareTo(heap[least]) < 0) {
        least++;
      }
      if (run.compareTo(heap[least]) <= 0) {
        break;
      }
      heap[at] = heap[least];
      at = least;
    }
    heap[at] = run;
  }

  @Override
  public byte[] array() {
    return heap[0].array();
  }

  @Override
  public int offset() {
    return heap[0].offset();
  }

  @Override
  public int length() {
    return heap[0].length();
  }
}
