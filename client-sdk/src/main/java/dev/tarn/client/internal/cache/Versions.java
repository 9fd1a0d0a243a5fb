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
 * Which version of each object is read: the one that the storage has when it is first asked for.
 * For use by many threads.
 */
final class Versions {
  private final Storage storage;
  private final Noting noting;
  private final Map<StorageUrl, StoredObject> known = new ConcurrentHashMap<>();

  /** Is told of versions. */
  interface Noting {
    /** This one, which has an ETag, is to be read from now on; it may be told of twice. */
    void lookedUp(StoredObject object) throws IOException;
  }

  Versions(Storage storage, Noting noting) {
    this.storage = storage;
    this.noting = noting;
  }

  /** Looks all of them up again when they are next read. */
  void forget() {
    known.clear();
  }

  /**
   * The version to read; null where none can be told.
   *
   * @param etag the one that is wanted, if not any: where it is not there, another is returned
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
      // A URL that is signed for GET alone: the reading itself will tell what is wrong.
      return null;
    }
    if (!isOf(found, etag)) {
      return found;
    }
    if (found.etag() != null) {
      noting.lookedUp(found);
    }
    // Of threads that look it up at the same time the first one says which it is for all.
    return known.merge(url, found, (first, second) -> isOf(first, etag) ? first : second);
  }

  private static boolean isOf(StoredObject object, @Nullable String etag) {
    return etag == null || etag.equals(object.etag());
  }
}
