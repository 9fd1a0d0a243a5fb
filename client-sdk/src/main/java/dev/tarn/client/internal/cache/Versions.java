package dev.tarn.client.internal.cache;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The version of each object to read: the one that the storage has when it is first asked. Safe for
 * several threads.
 */
final class Versions {
  private final Storage storage;
  private final Noting noting;
  private final Map<StorageUrl, StoredObject> known = new ConcurrentHashMap<>();

  /** Is told which versions are read. */
  interface Noting {
    /**
     * The storage has this version, which has an ETag and is read from now on; may be called twice.
     */
    void lookedUp(StoredObject object) throws IOException;
  }

  Versions(Storage storage, Noting noting) {
    this.storage = storage;
    this.noting = noting;
  }

  /** Looks all versions up again when they are next read. */
  void forget() {
    known.clear();
  }

  /**
   * The version to read; null if it is unknown.
   *
   * @param etag the requested version, if any; if the storage has another one, that is returned
   */
  @Nullable StoredObject find(StorageUrl url, @Nullable String etag) throws IOException {
    if (url.scheme() == Scheme.FILE) {
      return null;
    }
    StoredObject object = known.get(url);
    if (object != null && isOf(object, etag)) {
      return object;
    }
    StoredObject found;
    try {
      found = storage.stat(url);
    } catch (StorageException e) {
      if (e.kind() == Kind.MISSING || e.kind() == Kind.UNAVAILABLE) {
        throw e;
      }
      // The URL may be signed for GET alone; the read itself reports what is wrong.
      return null;
    }
    if (!isOf(found, etag)) {
      return found;
    }
    if (found.etag() != null) {
      noting.lookedUp(found);
    }
    // If several threads look it up at once, the first result counts for all.
    return known.merge(url, found, (first, second) -> isOf(first, etag) ? first : second);
  }

  private static boolean isOf(StoredObject object, @Nullable String etag) {
    return etag == null || etag.equals(object.etag());
  }
}
