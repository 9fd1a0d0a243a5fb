package dev.tarn.sharder.sort;

import java.io.IOException;

/** Records in the order of their bytes, one at a time. */
public interface SortedRecords {
  /** Moves to the next record; false when there is none. */
  boolean next() throws IOException;

  /** Holds the present record, until the next one is asked for. */
  byte[] array();

  /** Where the present record begins. */
  int offset();

  /** How many bytes it has. */
  int length();
}
