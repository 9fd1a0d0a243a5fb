package dev.tarn.sharder.pack;

/**
 * Bytes that are dead, or soon will be, and that no collection has been asked for.
 *
 * <p>They are large or old, so only a full collection frees them, and the collector prefers to grow
 * the heap. This class asks for a collection when they have become many. Safe for use by many
 * threads at once.
 */
final class Garbage {
  private static final long BYTES_MAX = 32 * 1024 * 1024;

  private long bytes;

  /** Takes note of bytes to come, after asking for a collection if they would be too many. */
  synchronized void add(long more) {
    if (bytes + more > BYTES_MAX) {
      bytes = 0;
      System.gc();
    }
    bytes += more;
  }
}
