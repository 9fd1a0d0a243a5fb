package dev.tarn.benchmarks.policy;

import java.util.BitSet;

/** Keeps what comes first, until it is full, and never anything else. */
final class FixedPart implements SimulatedCache {
  private final Workload workload;
  private final BitSet kept = new BitSet();
  private long bytes;

  FixedPart(Workload workload) {
    this.workload = workload;
  }

  @Override
  public Access read(int reference) {
    int entry = workload.entry(reference);
    if (kept.get(entry)) {
      return Access.HIT;
    }
    int size = workload.size(entry);
    if (bytes + size > workload.capacityBytes()) {
      return Access.PASSED;
    }
    kept.set(entry);
    bytes += size;
    return Access.KEPT;
  }

  @Override
  public boolean write(int reference) {
    return read(reference) != Access.PASSED;
  }
}
