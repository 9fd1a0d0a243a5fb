package dev.tarn.sharder;

import java.util.concurrent.atomic.LongAdder;

/** The progress of a run. Thread-safe. */
public class Progress implements AutoCloseable {
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Adds completed files and bytes. */
  public final void add(long moreFiles, long moreBytes) {
    files.add(moreFiles);
    bytes.add(moreBytes);
  }

  /** Returns the number of completed files. */
  public final long files() {
    return files.sum();
  }

  /** Returns the number of completed bytes. */
  public final long bytes() {
    return bytes.sum();
  }

  @Override
  public void close() {}
}
