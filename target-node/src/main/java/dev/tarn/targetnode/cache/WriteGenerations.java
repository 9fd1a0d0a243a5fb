package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectName;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the writes by key; many keys share a counter. A read notes the count before it calls the
 * backend, and caches the answer only if the count is the same afterwards. A slow read could
 * otherwise restore an object that a write has replaced meanwhile.
 */
final class WriteGenerations {
  private static final int COUNTERS = 4096;

  private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

  /** The present count of a key. */
  long of(ObjectName name) {
    return counters.get(index(name));
  }

  /** Counts a write and returns the count. Called before and again after the backend is called. */
  long advance(ObjectName name) {
    return counters.incrementAndGet(index(name));
  }

  /** Counts a write of every key. */
  void advanceAll() {
    for (int i = 0; i < COUNTERS; i++) {
      counters.incrementAndGet(i);
    }
  }

  private static int index(ObjectName name) {
    int hash = name.hashCode();
    return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
  }
}
