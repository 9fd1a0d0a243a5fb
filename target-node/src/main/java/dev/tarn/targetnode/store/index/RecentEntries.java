package dev.tarn.targetnode.store.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.object.ObjectName;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The newest entries of names that are read often, decoded, so that their reads need not ask
 * RocksDB. All indexes of the process share the memory.
 *
 * <p>An entry is looked up under the lock of its name. While a name changes it is marked, and its
 * readers ask RocksDB; so none sees an entry older than one that another has seen.
 */
final class RecentEntries {
  /** The share of the heap that they may take is one in so many. */
  private static final int HEAP_SHARE = 32;

  /** About what an entry takes beside its encoded bytes and its key. */
  private static final int OVERHEAD_BYTES = 500;

  private static final Known CHANGING = new Known(null, OVERHEAD_BYTES);

  private static final Cache<Place, Known> SHARED =
      Caffeine.newBuilder()
          .maximumWeight(Runtime.getRuntime().maxMemory() / HEAP_SHARE)
          .weigher((Place place, Known known) -> known.weight())
          .executor(Runnable::run)
          .build();

  /** A name in one of the indexes. */
  private record Place(RecentEntries index, ObjectName name) {
    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Place place && place.index == index && place.name.equals(name);
    }
  }

  private record Known(@Nullable IndexEntry entry, int weight) {
    boolean changing() {
      return entry == null;
    }
  }

  /** An entry as the index has it. */
  record Loaded(IndexEntry entry, int encodedBytes) {}

  /** Changes that are written to the index. */
  interface Writing<E extends Exception> {
    void write() throws E;
  }

  /** The entry of a name: a known one, or what the look-up gives; null is not remembered. */
  @Nullable IndexEntry find(ObjectName name, Function<ObjectName, @Nullable Loaded> lookUp) {
    Place place = new Place(this, name);
    Known known = SHARED.getIfPresent(place);
    if (known == null) {
      known = SHARED.asMap().computeIfAbsent(place, absent -> known(name, lookUp.apply(name)));
    }
    if (known != null && known.changing()) {
      Loaded loaded = lookUp.apply(name);
      return loaded == null ? null : loaded.entry();
    }
    return known == null ? null : known.entry();
  }

  private static @Nullable Known known(ObjectName name, @Nullable Loaded loaded) {
    // Decoded numbers and strings take about twice the room of their encoded form.
    return loaded == null
        ? null
        : new Known(
            loaded.entry(), OVERHEAD_BYTES + name.key().length() + 2 * loaded.encodedBytes());
  }

  /** Writes changes of the entries of these names. */
  <E extends Exception> void change(Set<ObjectName> names, Writing<E> changes) throws E {
    names.forEach(name -> SHARED.put(new Place(this, name), CHANGING));
    try {
      changes.write();
    } finally {
      names.forEach(name -> SHARED.invalidate(new Place(this, name)));
    }
  }

  /** The index is closed. */
  void clear() {
    SHARED.asMap().keySet().removeIf(place -> place.index() == this);
  }
}
