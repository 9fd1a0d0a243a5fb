package dev.tarn.benchmarks.policy;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.targetnode.store.residents.CachePolicy;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Reference;
import dev.tarn.targetnode.store.residents.Resident;
import dev.tarn.targetnode.store.residents.Residents;
import java.util.List;
import java.util.Optional;

/** The residents of a target's disk, with a policy. */
final class PolicyCache implements SimulatedCache {
  private static final int MILLIS_IN_TICK = 10;
  private static final ObjectKey KEY = ObjectKey.of("key");

  private final Workload workload;
  private final Residents residents;
  private int now;

  PolicyCache(Workload workload, CachePolicy policy, long seed) {
    this.workload = workload;
    this.residents = new Residents(policy, () -> now, seed);
  }

  @Override
  public Access read(int reference) {
    now = (int) (workload.millis(reference) / MILLIS_IN_TICK);
    int entry = workload.entry(reference);
    if (residents.reference(id(entry), name(entry)) == Reference.RESIDENT) {
      return Access.HIT;
    }
    int size = workload.size(entry);
    return keeps(
            entry,
            missing(size) <= 0
                ? Optional.of(List.of())
                : residents.displace(id(entry), size, name(entry), missing(size)))
        ? Access.KEPT
        : Access.PASSED;
  }

  @Override
  public boolean write(int reference) {
    now = (int) (workload.millis(reference) / MILLIS_IN_TICK);
    int entry = workload.entry(reference);
    int size = workload.size(entry);
    residents.written(id(entry), name(entry));
    return residents.isResident(id(entry))
        || keeps(
            entry,
            missing(size) <= 0
                ? Optional.of(List.of())
                : residents.displaceForWritten(name(entry), size, missing(size)));
  }

  private long missing(int size) {
    return residents.bytes() + size - workload.capacityBytes();
  }

  private boolean keeps(int entry, Optional<List<Resident>> victims) {
    victims.ifPresent(all -> {
      all.forEach(resident -> residents.left(resident, Leaving.FOR_BETTER));
      residents.add(id(entry), workload.size(entry), name(entry));
    });
    return victims.isPresent();
  }

  private static long id(int entry) {
    return entry + 1L;
  }

  private ObjectName name(int entry) {
    return new ObjectName(new BucketId(workload.bucket(entry) + 1L), KEY);
  }
}
