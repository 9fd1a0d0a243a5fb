package dev.tarn.sharder.sort;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Sorts records by their unsigned bytes in bounded memory. Records that do not fit are sorted in
 * parts, written to a temporary file, and merged when they are read. Records that fit are never
 * written to disk. No record may be a prefix of another, except an equal one.
 */
public final class ExternalSort implements AutoCloseable {
  /** Maximum length of a record in bytes. */
  public static final int LONGEST_RECORD = RecordBuffer.LONGEST_RECORD;

  /**
   * Maximum number of runs before they are merged into one, so that each is read in large steps.
   */
  private static final int RUNS_MAX = 256;

  private final SortSpace space;
  private @Nullable RecordBuffer buffer;
  private @Nullable SpillFile spilled;

  public ExternalSort(SortSpace space) {
    this.space = requireNonNull(space, "space is null");
    this.buffer = new RecordBuffer(space.bytesMax());
  }

  /**
   * Adds a record: the first {@code length} bytes of an array.
   *
   * @throws IOException if the temporary file cannot be written
   */
  public void add(byte[] record, int length) throws IOException {
    if (length > LONGEST_RECORD) {
      throw new IllegalArgumentException("a record of " + length + " bytes is too long");
    }
    if (buffer == null) {
      throw new IllegalStateException("the records were sorted already");
    }
    if (!buffer.add(record, length)) {
      spill(buffer);
      buffer.add(record, length);
    }
  }

  private void spill(RecordBuffer full) throws IOException {
    if (spilled == null) {
      spilled = new SpillFile(space.folder());
    }
    full.sort();
    spilled.write(full);
    full.clear();
    if (spilled.runs() == RUNS_MAX) {
      try (SpillFile parts = spilled) {
        SpillFile merged = new SpillFile(space.folder());
        spilled = merged;
        merged.write(parts.merged(space.bytesMax()));
      }
    }
  }

  /** Returns all records in order. Must be called once, after the last record was added. */
  public SortedRecords sorted() throws IOException {
    RecordBuffer last = requireNonNull(buffer, "the records were sorted already");
    buffer = null;
    if (spilled == null) {
      last.sort();
      return last;
    }
    if (!last.isEmpty()) {
      spill(last);
    }
    return spilled.merged(space.bytesMax());
  }

  @Override
  public void close() throws IOException {
    buffer = null;
    if (spilled != null) {
      spilled.close();
    }
  }
}
