package dev.tarn.client.prefetch;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which version of a shard was read, so that parts of it that are fetched at different times are of
 * one. Of very many shards those that were not read the longest are forgotten. For use by many
 * threads at once.
 */
final class ShardVersions {
  private static final int COUNT_MAX = 1 << 16;

  private final Map<StorageUrl, StoredObject> versions =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StorageUrl, StoredObject> eldest) {
          return size() > COUNT_MAX;
        }
      };

  /** The version that was read; null if none was. */
  synchronized @Nullable StoredObject get(StorageUrl url) {
    return versions.get(url);
  }

  /** Remembers the version that is read. */
  synchronized void put(StoredObject version) {
    versions.putIfAbsent(version.url(), version);
  }
}
