package dev.tarn.targetnode.store.index;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.tarn.cluster.object.ObjectName;
import java.util.Collection;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The newest entries of names that are read often, decoded, so that their reads need not ask
 * RocksDB. An entry is looked up under the lock of its name and forgotten, under the same lock,
 * after each change and before the change is acknowledged; so none is ever older than what has been
 * acknowledged.
 */
final class RecentEntries {
  /** About what an entry takes beside its encoded bytes and its key. */
  private static final int OVERHEAD_BYTES = 500;

  private final Cache<ObjectName, Known> entries;

  private record Known(IndexEntry entry, int weight) {}

  /** Holds about so many bytes of the heap at most. */
  RecentEntries(long bytesMax) {
    entries =
        Caffeine.newBuilder()
            .maximumWeight(bytesMax)
            .weigher((ObjectName name, Known known) -> known.weight())
            .executor(Runnable::run)
            .build();
  }

  /** An entry as the index has it. */
  record Loaded(IndexEntry entry, int encodedBytes) {}

  /** The entry of a name: a known one, or what the look-up gives; null is not remembered. */
  @Nullable IndexEntry find(ObjectName name, Function<ObjectName, @Nullable Loaded> lookUp) {
    Known known = entries.getIfPresent(name);
    if (known == null) {
      known = entries.asMap().computeIfAbsent(name, absent -> known(absent, lookUp.apply(absent)));
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

  /** The entries of these names have changed. */
  void forget(Collection<ObjectName> names) {
    names.forEach(entries.asMap()::remove);
  }
}
