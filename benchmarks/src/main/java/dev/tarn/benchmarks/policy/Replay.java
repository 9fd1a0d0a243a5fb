package dev.tarn.benchmarks.policy;

/**
 * The result of a workload.
 *
 * @param hitShare the bytes that the cache served, of all bytes that were read
 * @param writtenShare the bytes that the cache wrote, of all bytes that were read
 */
public record Replay(double hitShare, double writtenShare) {
  /** Plays a workload to a cache. */
  static Replay of(Workload workload, SimulatedCache cache) {
    double read = 0;
    double hit = 0;
    double written = 0;
    for (int i = 0; i < workload.references(); i++) {
      int size = workload.size(workload.entry(i));
      if (workload.isWrite(i)) {
        written += cache.write(i) ? size : 0;
        continue;
      }
      read += workload.readBytes(i);
      switch (cache.read(i)) {
        case HIT -> hit += workload.readBytes(i);
        case KEPT -> written += size;
        case PASSED -> {}
      }
    }
    return new Replay(hit / read, written / read);
  }
}
