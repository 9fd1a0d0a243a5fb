package dev.tarn.client.internal.cache;

import dev.tarn.client.internal.cache.KeptObject.Name;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Determines what is evicted from a cache, and in which order. Replaced versions come first: all
 * versions of an object but the one that was looked up last. Then come objects that no open dataset
 * reads. Within both, the least recently looked up comes first.
 *
 * <p>Objects of open datasets stay, since each of their epochs reads them. To evict them for what
 * was just read would make every epoch fetch everything.
 *
 * <p>Versions that an epoch reads stay until it ends, even if they were replaced, since no storage
 * has them any more. While they take the room of what replaced them, that is read without being
 * kept.
 */
final class Eviction {
  private static final Comparator<Use> BY_TIME = Comparator.comparing(Use::last);

  private Eviction() {}

  /** When a version of an object was last looked up or extended. */
  private record Use(Path journal, Name name, FileTime last) {}

  /**
   * The journals whose objects may be evicted, in this order.
   *
   * @param journals of all kept objects
   * @param wanted the version that needs room; other versions of its object count as replaced
   * @param needed objects that open datasets read, by {@link KeptObject#nameStart}, and versions
   *     that epochs read, by name
   */
  static List<Path> order(Collection<Path> journals, Name wanted, Set<String> needed)
      throws IOException {
    List<Use> uses = new ArrayList<>();
    Map<String, Use> present = new HashMap<>();
    for (Path journal : journals) {
      Use use = new Use(journal, Name.of(journal), KeptObject.lastUsed(journal));
      uses.add(use);
      present.merge(use.name.object(), use, (a, b) -> BY_TIME.compare(a, b) < 0 ? b : a);
    }
    List<Use> replaced = new ArrayList<>();
    List<Use> unneeded = new ArrayList<>();
    for (Use use : uses) {
      if (needed.contains(use.name.toString())) {
        continue;
      }
      String object = use.name.object();
      boolean isPresent =
          object.equals(wanted.object())
              ? use.name.equals(wanted)
              : use.equals(present.get(object));
      if (!isPresent) {
        replaced.add(use);
      } else if (!needed.contains(object)) {
        unneeded.add(use);
      }
    }
    replaced.sort(BY_TIME);
    unneeded.sort(BY_TIME);
    replaced.addAll(unneeded);
    return replaced.stream().map(Use::journal).toList();
  }
}
