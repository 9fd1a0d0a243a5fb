package dev.tarn.benchmarks.policy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

/** Caffeine, with sizes in KiB as weights. It keeps each entry first, and decides then. */
final class CaffeineCache implements SimulatedCache {
  private static final int KIB = 1 << 10;

  private final Workload workload;
  private final Cache<Integer, Integer> cache;

  CaffeineCache(Workload workload) {
    this.workload = workload;
    this.cache =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(workload.capacityBytes() / KIB)
            .<Integer, Integer>weigher((entry, size) -> (size + KIB - 1) / KIB)
            .build();
  }

  @Override
  public Access read(int reference) {
    int entry = workload.entry(reference);
    if (cache.getIfPresent(entry) != null) {
      return Access.HIT;
    }
    cache.put(entry, workload.size(entry));
    return Access.KEPT;
  }

  @Override
  public boolean write(int reference) {
    read(reference);
    return true;
  }
}
