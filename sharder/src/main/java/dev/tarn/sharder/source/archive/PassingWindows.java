package dev.tarn.sharder.source.archive;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * The compressed archives of a run that are read through windows: the archives used last, as long
 * as they are few and take little memory together. A pack reads archives one after the other, so
 * these are the current ones and those that a slower reader has not finished yet.
 */
final class PassingWindows {
  private static final int OPEN_MAX = 32;
  private static final long BYTES_MAX = 128L * 1024 * 1024;

  /** Those used last before the others. */
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

  /** Forgets an archive that is no longer read through a window. */
  synchronized void forget(CompressedBytes archive) {
    open.remove(archive);
  }
}
