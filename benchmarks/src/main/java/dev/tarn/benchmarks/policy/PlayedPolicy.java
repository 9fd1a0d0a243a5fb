package dev.tarn.benchmarks.policy;

import dev.tarn.targetnode.store.residents.Lru;
import dev.tarn.targetnode.store.residents.Tenure;

/** A policy to which workloads are played. */
public enum PlayedPolicy {
  TENURE {
    @Override
    SimulatedCache cache(Workload workload) {
      return new PolicyCache(workload, new Tenure(FLOORS), SEED);
    }
  },
  LRU {
    @Override
    SimulatedCache cache(Workload workload) {
      return new PolicyCache(workload, new Lru(), SEED);
    }
  },
  CAFFEINE {
    @Override
    SimulatedCache cache(Workload workload) {
      return new CaffeineCache(workload);
    }
  },
  /** Keeps the entries that come first, for ever. */
  FIXED_PART {
    @Override
    SimulatedCache cache(Workload workload) {
      return new FixedPart(workload);
    }
  },
  BELADY {
    @Override
    SimulatedCache cache(Workload workload) {
      return new BeladyCache(workload);
    }
  };

  /** The defaults of a target, in hundredths of a second. */
  static final Tenure.Floors FLOORS = new Tenure.Floors(30_000, 500);

  private static final long SEED = 1;

  abstract SimulatedCache cache(Workload workload);

  /** Plays a workload to a new cache with this policy. */
  public Replay play(Workload workload) {
    return Replay.of(workload, cache(workload));
  }
}
