package dev.tarn.sharder.pack;

/**
 * Counts bytes that are garbage, or soon will be, since the last requested collection.
 *
 * <p>They are large or old, so only a full collection frees them, and the collector would rather
 * grow the heap. This class requests a full collection when the count exceeds its limit.
 * Thread-safe.
 */
final class Garbage {
  private static final long BYTES_MAX = 32 * 1024 * 1024;

  private long bytes;

  /** Counts bytes to come; first requests a collection if they would exceed the limit. */
  synchronized void add(long more) {
    if (bytes + more > BYTES_MAX) {
      bytes = 0;
      System.gc();
    }
    bytes += more;
  }
}
