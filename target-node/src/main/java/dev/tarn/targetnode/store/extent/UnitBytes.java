package dev.tarn.targetnode.store.extent;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.record.Unit;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes the units of each bucket have. Nothing on the disk says it, so a sweep counts them
 * at the start and then from time to time. Changes during a count may be counted twice or not at
 * all, until the next one.
 */
public final class UnitBytes {
  private final Map<BucketId, Long> bytes = new HashMap<>();

  UnitBytes() {}

  synchronized void add(BucketId bucket, long change) {
    bytes.merge(bucket, change, Long::sum);
  }

  synchronized Map<BucketId, Long> all() {
    Map<BucketId, Long> all = new HashMap<>(bytes);
    all.values().removeIf(count -> count <= 0);
    return all;
  }

  /** Begins a count. */
  synchronized Count begin() {
    return new Count(Map.copyOf(bytes));
  }

  /** A count under way. One thread. */
  public final class Count {
    private final Map<BucketId, Long> before;
    private final Map<BucketId, Long> found = new HashMap<>();

    private Count(Map<BucketId, Long> before) {
      this.before = before;
    }

    /** Counts a unit. */
    public void found(Unit unit) {
      found.merge(unit.object().bucket(), unit.length(), Long::sum);
    }

    /** All units have been counted: replaces the numbers from before the count. */
    public void end() {
      synchronized (UnitBytes.this) {
        before.forEach((bucket, count) -> add(bucket, -count));
        found.forEach(UnitBytes.this::add);
      }
    }
  }
}
