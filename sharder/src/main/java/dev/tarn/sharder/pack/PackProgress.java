package dev.tarn.sharder.pack;

import java.util.concurrent.atomic.LongAdder;

/** How far a run has come; many threads count, another looks. */
public final class PackProgress {
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  void packed(int moreFiles, long moreBytes) {
    files.add(moreFiles);
    bytes.add(moreBytes);
  }

  /** How many files were read. */
  public long files() {
    return files.sum();
  }

  /** How many bytes they had. */
  public long bytes() {
    return bytes.sum();
  }
}
