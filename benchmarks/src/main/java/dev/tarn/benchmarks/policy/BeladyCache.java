package dev.tarn.benchmarks.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Knows the future, and keeps what is read again first. No cache can do so. */
final class BeladyCache implements SimulatedCache {
  private final Workload workload;
  private final int[] nextReads;
  private final int[] nextReadOfResident;
  private final TreeMap<Integer, Integer> byNextRead = new TreeMap<>();
  private long bytes;

  BeladyCache(Workload workload) {
    this.workload = workload;
    int entries = workload.entries();
    int[] seen = new int[entries];
    Arrays.fill(seen, -1);
    nextReads = new int[workload.references()];
    for (int i = nextReads.length - 1; i >= 0; i--) {
      int entry = workload.entry(i);
      boolean never = seen[entry] < 0 || workload.isWrite(seen[entry]);
      nextReads[i] = never ? nextReads.length + entry : seen[entry];
      seen[entry] = i;
    }
    nextReadOfResident = new int[entries];
    Arrays.fill(nextReadOfResident, -1);
  }

  @Override
  public Access read(int reference) {
    int entry = workload.entry(reference);
    int next = nextReads[reference];
    if (nextReadOfResident[entry] >= 0) {
      byNextRead.remove(nextReadOfResident[entry]);
      keep(entry, next);
      return Access.HIT;
    }
    int size = workload.size(entry);
    if (size > workload.capacityBytes() || next >= nextReads.length || !makeRoom(size, next)) {
      return Access.PASSED;
    }
    keep(entry, next);
    bytes += size;
    return Access.KEPT;
  }

  @Override
  public boolean write(int reference) {
    return read(reference) != Access.PASSED;
  }

  private void keep(int entry, int next) {
    byNextRead.put(next, entry);
    nextReadOfResident[entry] = next;
  }

  /** Removes what is read again later, if that makes room. */
  private boolean makeRoom(int size, int next) {
    long missing = bytes + size - workload.capacityBytes();
    List<Integer> victims = new ArrayList<>();
    for (Map.Entry<Integer, Integer> last = byNextRead.lastEntry();
        missing > 0;
        last = byNextRead.lowerEntry(last.getKey())) {
      if (last == null || last.getKey() <= next) {
        return false;
      }
      victims.add(last.getValue());
      missing -= workload.size(last.getValue());
    }
    for (int victim : victims) {
      byNextRead.remove(nextReadOfResident[victim]);
      nextReadOfResident[victim] = -1;
      bytes -= workload.size(victim);
    }
    return true;
  }
}
