package dev.tarn.client.cache;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Range;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A storage of which this machine's disk keeps what is read: whole objects and parts of them alike,
 * each version for itself. What is on this machine anyway, and what has no ETag to tell versions
 * apart, passes by.
 */
public final class CachedStorage extends ForwardingStorage {
  private final Storage storage;
  private final DiskCache cache;

  /** The versions of what was read since the last {@link #lookAgain}. */
  private final Map<StorageUrl, StoredObject> versions = new ConcurrentHashMap<>();

  /**
   * Opens a cache.
   *
   * @param storage which stays its owner's to close
   * @param bytesMax how many bytes are kept, of all processes that share the folder together
   * @param needed the objects that are not thrown out until this is closed, to make room for others
   */
  public CachedStorage(
      Storage storage, CacheFolder folder, long bytesMax, Collection<StorageUrl> needed)
      throws IOException {
    super(storage);
    this.storage = storage;
    this.cache = new DiskCache(folder, bytesMax, needed);
  }

  /**
   * Asks the storage again which version each object has, when that is next read; and for room
   * again, if there was none.
   */
  public void lookAgain() {
    versions.clear();
    cache.retry();
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    StoredObject object = version(url, etag);
    KeptObject kept = object == null || object.etag() == null ? null : cache.find(object);
    if (object == null || kept == null) {
      return storage.open(url, offset, end, etag);
    }
    Range range = Range.within(object, offset, end, etag);
    return new CachedStream(storage, cache, kept, object, range);
  }

  /** The version to read; null where none can be told. */
  private @Nullable StoredObject version(StorageUrl url, @Nullable String etag) throws IOException {
    if (url.scheme() == Scheme.FILE) {
      return null;
    }
    StoredObject known = versions.get(url);
    if (known != null && (etag == null || etag.equals(known.etag()))) {
      return known;
    }
    try {
      StoredObject found = storage.stat(url);
      versions.put(url, found);
      return found;
    } catch (StorageException e) {
      if (e.kind() == Kind.MISSING || e.kind() == Kind.UNAVAILABLE) {
        throw e;
      }
      // A URL that is signed for GET alone: the reading itself will tell what is wrong.
      return null;
    }
  }

  /** Closes the cache; the storage stays open. */
  @Override
  public void close() {
    cache.close();
  }
}
