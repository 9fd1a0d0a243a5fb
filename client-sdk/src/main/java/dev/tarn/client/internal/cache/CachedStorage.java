package dev.tarn.client.internal.cache;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Range;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what is read from a storage on this machine's disk: whole objects and parts of them, each
 * version separately. Local files, and objects without an ETag, are not kept.
 */
public final class CachedStorage extends ForwardingStorage {
  private final Storage storage;
  private final DiskCache cache;

  /** The versions of reads that belong to no epoch. */
  private final Versions versions;

  /**
   * Opens a cache.
   *
   * @param storage which stays open when this is closed
   * @param bytesMax bound of the kept bytes, of all processes that share the folder
   * @param needed objects whose current versions are not evicted until this is closed
   */
  public CachedStorage(
      Storage storage, CacheFolder folder, long bytesMax, Collection<StorageUrl> needed)
      throws IOException {
    super(storage);
    this.storage = storage;
    this.cache = new DiskCache(folder, bytesMax, needed);
    this.versions = new Versions(storage, object -> cache.lookedUp(object, null));
  }

  /**
   * Opens the cache for one epoch, which looks up the version of each object once. These versions
   * are not evicted until the epoch ends, even if they are replaced meanwhile.
   *
   * <p>From now on, other reads look up versions again too, and try again to get room.
   *
   * @return whose close ends the epoch and closes nothing else
   */
  public Storage beginEpoch() {
    versions.forget();
    return new Epoch(cache.beginEpoch());
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    return open(versions.find(url, etag), url, offset, end, etag);
  }

  private ObjectStream open(
      @Nullable StoredObject object, StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    if (object == null || object.etag() == null) {
      return storage.open(url, offset, end, etag);
    }
    Range range = Range.within(object, offset, end, etag);
    KeptObject kept = cache.find(object);
    return kept == null
        ? storage.open(url, offset, end, etag)
        : new CachedStream(storage, cache, kept, object, range);
  }

  /** Closes the cache; the storage stays open. */
  @Override
  public void close() {
    cache.close();
  }

  /** The reads of one epoch. */
  private final class Epoch extends ForwardingStorage {
    private final @Nullable EpochPins pins;
    private final Versions found;

    Epoch(@Nullable EpochPins pins) {
      super(storage);
      this.pins = pins;
      this.found = new Versions(storage, object -> cache.lookedUp(object, pins));
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      return CachedStorage.this.open(found.find(url, etag), url, offset, end, etag);
    }

    @Override
    public void close() {
      if (pins != null) {
        cache.endEpoch(pins);
      }
    }
  }
}
