package dev.tarn.client.internal.prefetch;

import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The versions of the shards that were read, so that all parts of a shard are of one version.
 * Forgets the shard that was read least recently if there are too many. Safe for several threads.
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

  /** The version of the shard that was read first, which may be this one. */
  synchronized StoredObject first(StoredObject found) {
    StoredObject first = versions.putIfAbsent(found.url(), found);
    return first == null ? found : first;
  }
}
