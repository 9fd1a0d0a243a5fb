package dev.tarn.targetnode.store.extent;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which extents readers have yet to open: their removal waits until the last one lets go. */
final class ExtentPins {
  private final Map<Long, Integer> readers = new HashMap<>();
  private final Set<Long> doomed = new HashSet<>();
  private final Set<Long> removing = new HashSet<>();

  /** Pins all, or none if one is being removed. Whether those that are pinned exist is not told. */
  synchronized boolean pin(Collection<Long> ids) {
    if (ids.stream().anyMatch(removing::contains)) {
      return false;
    }
    ids.forEach(id -> readers.merge(id, 1, Integer::sum));
    return true;
  }

  /** Lets go of extents; gives those whose removal has waited for it. */
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

  /** Whether the extent may be removed now; then {@link #removed} must follow. */
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
