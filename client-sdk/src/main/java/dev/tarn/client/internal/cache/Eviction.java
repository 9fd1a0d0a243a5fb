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
 * What makes room in a cache, and in which order: first what was replaced since, that is all
 * versions of an object but the one that was looked up last; then what no open dataset reads; of
 * each what was looked up the longest ago first.
 *
 * <p>What an open dataset reads stays: it will be read in each of its epochs, and to throw out what
 * comes round again to keep what was just read would make every epoch fetch everything.
 *
 * <p>Versions that an epoch reads stay until it ends, also when they were replaced: it could have
 * them from nowhere else. As long as they take the room of what replaced them, that is read without
 * being kept.
 */
final class Eviction {
  private static final Comparator<Use> BY_TIME = Comparator.comparing(Use::last);

  private Eviction() {}

  /** When a version of an object was looked up last, or added to. */
  private record Use(Path journal, Name name, FileTime last) {}

  /**
   * The journals whose objects may go, in this order.
   *
   * @param journals of all that is kept
   * @param wanted the version that room is needed for; others of its object were replaced
   * @param needed objects that open datasets read, as {@link KeptObject#nameStart} says it, and
   *     versions that epochs read, as their names are
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
