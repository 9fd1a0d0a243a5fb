package dev.tarn.sharder.source.archive;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The open windows of a run's compressed archives: those used last, limited in number and memory. A
 * pack reads archives one after the other. The open windows therefore belong to the current
 * archives and to those that a slower reader has not finished yet.
 */
final class PassingWindows {
  private static final int OPEN_MAX = 32;
  private static final long BYTES_MAX = 128L * 1024 * 1024;

  /** Most recently used first. */
  private final Deque<CompressedBytes> open = new ArrayDeque<>();

  /** Marks an archive as in use; returns the archive whose window the caller must close, if any. */
  synchronized @Nullable CompressedBytes use(CompressedBytes archive) {
    if (open.peekFirst() != archive) {
      open.remove(archive);
      open.addFirst(archive);
    }
    long bytes = open.stream().mapToLong(CompressedBytes::windowBytes).sum();
    boolean tooMany = open.size() > OPEN_MAX || (open.size() > 1 && bytes > BYTES_MAX);
    return tooMany ? open.removeLast() : null;
  }

  /** Removes an archive that is no longer read through a window. */
  synchronized void forget(CompressedBytes archive) {
    open.remove(archive);
  }
}
