package dev.tarn.targetnode.store.log;

import dev.tarn.targetnode.store.disk.Disk;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The segments whose cached objects are forgotten, so that a replay passes over them. An empty file
 * marks each. Safe for use by many threads.
 */
final class ForgottenMarks {
  private final Disk disk;
  private final Set<Long> segments = ConcurrentHashMap.newKeySet();

  /** Reads the marks of these segments, and removes others. */
  ForgottenMarks(Disk disk, Set<Long> existing) throws IOException {
    this.disk = disk;
    for (long number : Segments.listForgotten(disk)) {
      if (existing.contains(number)) {
        segments.add(number);
      } else {
        disk.delete(Segments.forgottenPath(number));
      }
    }
  }

  boolean has(long segment) {
    return segments.contains(segment);
  }

  /** Marks a segment durably. */
  void add(long segment) throws IOException {
    if (has(segment)) {
      return;
    }
    if (!disk.exists(Segments.forgottenPath(segment))) {
      disk.create(Segments.forgottenPath(segment)).close();
    }
    disk.syncDirectory(Segments.DIRECTORY);
    segments.add(segment);
  }

  /** A segment is gone durably, and its mark with it. */
  void removed(long segment) throws IOException {
    if (segments.remove(segment)) {
      disk.delete(Segments.forgottenPath(segment));
    }
  }
}
