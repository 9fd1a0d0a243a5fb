package dev.tarn.targetnode.cache;

import dev.tarn.cluster.object.ObjectName;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts the writes by key, many keys to a counter. A read that asks the backend notes the count
 * before and caches the answer only if it is the same after: else a slow read could put an object
 * back that a write has replaced meanwhile.
 */
final class WriteGenerations {
  private static final int COUNTERS = 4096;

  private final AtomicLongArray counters = new AtomicLongArray(COUNTERS);

  /** The present count of a key. */
  long of(ObjectName name) {
    return counters.get(index(name));
  }

  /** Notes that a key is written, before and again after the backend is told; gives the count. */
  long advance(ObjectName name) {
    return counters.incrementAndGet(index(name));
  }

  private static int index(ObjectName name) {
    int hash = name.hashCode();
    return (hash ^ (hash >>> 16)) & (COUNTERS - 1);
  }
}
