package dev.tarn.targetnode.store.extent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The extents that readers still have to open. Their removal waits until the last reader unpins
 * them.
 */
final class ExtentPins {
  private final Map<Long, Integer> readers = new HashMap<>();
  private final Set<Long> doomed = new HashSet<>();
  private final Set<Long> removing = new HashSet<>();

  /** Pins all, or none if one is being removed. Does not check that the extents exist. */
  synchronized boolean pin(Collection<Long> ids) {
    if (ids.stream().anyMatch(removing::contains)) {
      return false;
    }
    ids.forEach(id -> readers.merge(id, 1, Integer::sum));
    return true;
  }

  /** Unpins extents; returns those whose removal was waiting for this. */
  synchronized List<Long> unpin(Collection<Long> ids) {
    List<Long> unused = new ArrayList<>();
    for (long id : ids) {
      int others = readers.getOrDefault(id, 1) - 1;
      if (others > 0) {
        readers.put(id, others);
      } else {
        readers.remove(id);
        if (doomed.remove(id)) {
          unused.add(id);
        }
      }
    }
    return unused;
  }

  /**
   * Whether the extent may be removed now. If true, the caller must call {@link #removed} after.
   */
  synchronized boolean mayRemove(long id) {
    if (readers.containsKey(id)) {
      doomed.add(id);
      return false;
    }
    removing.add(id);
    return true;
  }

  synchronized void removed(long id) {
    removing.remove(id);
  }
}
