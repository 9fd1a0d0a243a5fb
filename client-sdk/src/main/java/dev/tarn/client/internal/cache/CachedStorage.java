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
 * A storage of which this machine's disk keeps what is read: whole objects and parts of them alike,
 * each version for itself. What is on this machine anyway, and what has no ETag to tell versions
 * apart, passes by.
 */
public final class CachedStorage extends ForwardingStorage {
  private final Storage storage;
  private final DiskCache cache;

  /** Of what was read since the last epoch began, but not by one. */
  private final Versions versions;

  /**
   * Opens a cache.
   *
   * @param storage which stays its owner's to close
   * @param bytesMax how many bytes are kept, of all processes that share the folder together
   * @param needed the objects whose present versions are not thrown out until this is closed, to
   *     make room for others
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
   * The same for one epoch, which asks the storage once which version each object has. What it
   * finds is not thrown out until the epoch ends, also if it is replaced meanwhile.
   *
   * <p>Whoever reads otherwise looks again too, and for room, if there was none.
   *
   * @return what ends the epoch when it is closed, and closes nothing else
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

  /** What an epoch reads. */
  private final class Epoch extends ForwardingStorage {
    private final @Nullable EpochNeeds needs;
    private final Versions found;

    Epoch(@Nullable EpochNeeds needs) {
      super(storage);
      this.needs = needs;
      this.found = new Versions(storage, object -> cache.lookedUp(object, needs));
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      return CachedStorage.this.open(found.find(url, etag), url, offset, end, etag);
    }

    @Override
    public void close() {
      if (needs != null) {
        cache.endEpoch(needs);
      }
    }
  }
}
