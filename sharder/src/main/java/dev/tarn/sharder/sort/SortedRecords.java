package dev.tarn.sharder.sort;

import java.io.IOException;

/** Records in the order of their bytes, one at a time. */
public interface SortedRecords {
  /** Moves to the next record; returns false if there are no more. */
  boolean next() throws IOException;

  /** Returns the array of the current record; valid until {@link #next}. */
  byte[] array();

  /** Returns the current record's offset in the array. */
  int offset();

  /** Returns the current record's length in bytes. */
  int length();
}
