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

  /** Returns the number of files. */
  public long files() {
    return files;
  }

  /** Returns their total size in bytes. */
  public long bytes() {
    return bytes;
  }

  /** Returns the size of the smallest file in bytes; 0 if there are no files. */
  public long smallest() {
    return files == 0 ? 0 : smallest;
  }

  /** Returns the size of the largest file in bytes; 0 if there are no files. */
  public long largest() {
    return largest;
  }
}
