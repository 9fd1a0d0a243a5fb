package dev.tarn.targetnode.store.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.object.ObjectName;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The newest entries of frequently read names, decoded, so that their reads need no RocksDB
 * look-up. All indexes of the process share the memory.
 *
 * <p>An entry is looked up under the lock of its name. While a name changes it is marked, and its
 * readers look it up in RocksDB. No reader therefore sees an older entry after another reader saw a
 * newer one.
 */
final class RecentEntries {
  /** The entries may take one part in this many of the heap. */
  private static final int HEAP_SHARE = 32;

  /** The approximate memory of an entry besides its encoded bytes and its key. */
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

  /** An entry read from the index. */
  record Loaded(IndexEntry entry, int encodedBytes) {}

  /** Writes changes to the index. */
  interface Writing<E extends Exception> {
    void write() throws E;
  }

  /** The entry of a name if it is in memory and does not change. */
  @Nullable IndexEntry known(ObjectName name) {
    Known known = SHARED.getIfPresent(new Place(this, name));
    return known == null ? null : known.entry();
  }

  /** The entry of a name, which the look-up gives if it is not in memory; null is not cached. */
  @Nullable IndexEntry load(ObjectName name, Function<ObjectName, @Nullable Loaded> lookUp) {
    Known known =
        SHARED
            .asMap()
            .computeIfAbsent(new Place(this, name), absent -> ofLoaded(name, lookUp.apply(name)));
    if (known != null && known.changing()) {
      Loaded loaded = lookUp.apply(name);
      return loaded == null ? null : loaded.entry();
    }
    return known == null ? null : known.entry();
  }

  private static @Nullable Known ofLoaded(ObjectName name, @Nullable Loaded loaded) {
    // Decoded numbers and strings take about twice the memory of their encoded form.
    return loaded == null
        ? null
        : new Known(
            loaded.entry(), OVERHEAD_BYTES + name.key().length() + 2 * loaded.encodedBytes());
  }

  /** Writes changes of these names' entries to the index. */
  <E extends Exception> void change(Set<ObjectName> names, Writing<E> changes) throws E {
    names.forEach(name -> SHARED.put(new Place(this, name), CHANGING));
    try {
      changes.write();
    } finally {
      names.forEach(name -> SHARED.invalidate(new Place(this, name)));
    }
  }

  /** Removes all entries of a closed index. */
  void clear() {
    SHARED.asMap().keySet().removeIf(place -> place.index() == this);
  }
}
