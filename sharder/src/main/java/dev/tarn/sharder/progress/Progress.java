package dev.tarn.sharder.progress;

import java.util.concurrent.atomic.LongAdder;

/** How far a run has come; many threads count, another looks, until it is closed. */
public class Progress implements AutoCloseable {
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  /** Counts what was done. */
  public final void add(long moreFiles, long moreBytes) {
    files.add(moreFiles);
    bytes.add(moreBytes);
  }

  /** How many files were done. */
  public final long files() {
    return files.sum();
  }

  /** How many bytes they had. */
  public final long bytes() {
    return bytes.sum();
  }

  @Override
  public void close() {}
}
