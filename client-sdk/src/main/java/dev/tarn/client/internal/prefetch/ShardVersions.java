package dev.tarn.client.internal.prefetch;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.Map;

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

  /** The version of that shard that was read first, which may be this one. */
  synchronized StoredObject first(StoredObject found) {
    StoredObject first = versions.putIfAbsent(found.url(), found);
    return first == null ? found : first;
  }
}
