package dev.tarn.targetnode.store.residents;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** The bytes of residents in each segment of the log. Safe for use by many threads. */
final class SegmentBytes {
  private final ConcurrentHashMap<Integer, LongAdder> bySegment = new ConcurrentHashMap<>();
  private final LongAdder all = new LongAdder();

  /** Counts bytes of a resident, if a segment has it. */
  void add(Resident resident, long bytes) {
    if (resident.isInLog()) {
      bySegment.computeIfAbsent(resident.segment(), number -> new LongAdder()).add(bytes);
      all.add(bytes);
    }
  }

  /** The bytes in a segment. */
  long of(int segment) {
    @Nullable LongAdder bytes = bySegment.get(segment);
    return bytes == null ? 0 : bytes.sum();
  }

  /** The bytes in all segments. */
  long all() {
    return all.sum();
  }

  /** Forgets a segment that has no residents any more. */
  void removed(int segment) {
    bySegment.remove(segment);
  }
}
