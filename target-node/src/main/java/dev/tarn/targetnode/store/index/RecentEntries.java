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

  private static final CachedEntry CHANGING = new CachedEntry(null, OVERHEAD_BYTES);

  private static final Cache<IndexedName, CachedEntry> SHARED =
      Caffeine.newBuilder()
          .maximumWeight(Runtime.getRuntime().maxMemory() / HEAP_SHARE)
          .weigher((IndexedName key, CachedEntry cached) -> cached.weight())
          .executor(Runnable::run)
          .build();

  /** A name in one of the indexes. */
  private record IndexedName(RecentEntries index, ObjectName name) {
    @Override
    public int hashCode() {
      return name.hashCode();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof IndexedName key && key.index == index && key.name.equals(name);
    }
  }

  private record CachedEntry(@Nullable IndexEntry entry, int weight) {
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

  /** The entry of a name if it is cached and does not change; else null. */
  @Nullable IndexEntry cached(ObjectName name) {
    CachedEntry cached = SHARED.getIfPresent(new IndexedName(this, name));
    return cached == null ? null : cached.entry();
  }

  /** The entry of a name: cached, or else looked up and then cached. Null is not cached. */
  @Nullable IndexEntry cachedOrLoaded(
      ObjectName name, Function<ObjectName, @Nullable Loaded> lookUp) {
    CachedEntry cached =
        SHARED
            .asMap()
            .computeIfAbsent(
                new IndexedName(this, name), absent -> cachedEntry(name, lookUp.apply(name)));
    if (cached != null && cached.changing()) {
      Loaded loaded = lookUp.apply(name);
      return loaded == null ? null : loaded.entry();
    }
    return cached == null ? null : cached.entry();
  }

  private static @Nullable CachedEntry cachedEntry(ObjectName name, @Nullable Loaded loaded) {
    // Decoded numbers and strings take about twice the memory of their encoded form.
    return loaded == null
        ? null
        : new CachedEntry(
            loaded.entry(), OVERHEAD_BYTES + name.key().length() + 2 * loaded.encodedBytes());
  }

  /** Writes changes of these names' entries to the index. */
  <E extends Exception> void change(Set<ObjectName> names, Writing<E> changes) throws E {
    names.forEach(name -> SHARED.put(new IndexedName(this, name), CHANGING));
    try {
      changes.write();
    } finally {
      names.forEach(name -> SHARED.invalidate(new IndexedName(this, name)));
    }
  }

  /** Removes all entries of a closed index. */
  void clear() {
    SHARED.asMap().keySet().removeIf(key -> key.index() == this);
  }
}
