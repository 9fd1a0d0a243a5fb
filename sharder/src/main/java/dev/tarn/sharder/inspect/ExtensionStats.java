package dev.tarn.sharder.inspect;

/** The sizes of the files of one extension. */
public final class ExtensionStats {
  private long files;
  private long bytes;
  private long smallest = Long.MAX_VALUE;
  private long largest;

  void add(long size) {
    files++;
    bytes += size;
    smallest = Math.min(smallest, size);
    largest = Math.max(largest, size);
  }

  void add(ExtensionStats other) {
    files += other.files;
    bytes += other.bytes;
    smallest = Math.min(smallest, other.smallest);
    largest = Math.max(largest, other.largest);
  }

  /** How many files there are. */
  public long files() {
    return files;
  }

  /** How many bytes they have together. */
  public long bytes() {
    return bytes;
  }

  /** The size of the smallest; of none, 0. */
  public long smallest() {
    return files == 0 ? 0 : smallest;
  }

  /** The size of the largest. */
  public long largest() {
    return largest;
  }
}
