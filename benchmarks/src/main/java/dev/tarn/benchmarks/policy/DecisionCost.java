package dev.tarn.benchmarks.policy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Residents;
import dev.tarn.targetnode.store.residents.Tenure;
import java.util.SplittableRandom;

/**
 * The cost of the table of a full cache.
 *
 * @param referenceMicros the mean time to record a read of an entry that the cache has
 * @param decisionMicros the mean time of a read of another entry: to record it, and to decide
 *     whether it displaces one
 * @param memoryBytes of the table, off the heap
 */
record DecisionCost(double referenceMicros, double decisionMicros, long memoryBytes) {
  private static final int ENTRY_BYTES = 1 << 20;
  private static final ObjectName NAME = new ObjectName(new BucketId(1), ObjectKey.of("key"));

  /** Measures a table of so many entries, after as many reads. */
  static DecisionCost measure(int entries, int decisions) {
    int[] now = {0};
    Residents residents = new Residents(new Tenure(PlayedPolicy.FLOORS), () -> now[0], 1);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < entries; i++) {
      now[0] = i / 1000;
      residents.reference(i, NAME);
      residents.add(i, ENTRY_BYTES, NAME);
    }
    for (int i = 0; i < entries; i++) {
      now[0]++;
      residents.reference(random.nextInt(2 * entries), NAME);
    }
    long begin = System.nanoTime();
    for (int i = 0; i < decisions; i++) {
      now[0]++;
      residents.reference(random.nextInt(entries), NAME);
    }
    long referenced = System.nanoTime();
    for (int i = 0; i < decisions; i++) {
      now[0]++;
      int id = entries + random.nextInt(entries);
      if (residents.reference(id, NAME) != Reference.RESIDENT) {
        residents
            .displace(id, ENTRY_BYTES, NAME, ENTRY_BYTES)
            .ifPresent(victims -> {
              victims.forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
              residents.add(id, ENTRY_BYTES, NAME);
            });
      }
    }
    long decided = System.nanoTime();
    return new DecisionCost(
        (referenced - begin) / 1e3 / decisions,
        (decided - referenced) / 1e3 / decisions,
        residents.memoryBytes());
  }
}
