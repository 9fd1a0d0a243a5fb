package dev.tarn.client.scan;

/** Is told how many bytes of shards were read. */
@FunctionalInterface
public interface ScanProgress {
  /** Adds to what was read. */
  void add(long moreMembers, long moreStoredBytes);
}
