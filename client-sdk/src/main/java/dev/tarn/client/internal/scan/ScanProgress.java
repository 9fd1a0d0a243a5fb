package dev.tarn.client.internal.scan;

/** Is told how far the reading of shards has come. */
@FunctionalInterface
public interface ScanProgress {
  /** Counts what was read. */
  void add(long moreMembers, long moreStoredBytes);
}
