package dev.tarn.client.internal.cache;

import dev.tarn.client.internal.cache.KeptObject.Name;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps bytes of objects on this machine's disk, within a bound.
 *
 * <p>Its failures never fail a read. The first failure to write, as on a full disk, ends the
 * keeping with one warning; kept bytes can still be read. Safe for several threads.
 */
final class DiskCache implements Closeable {
  private static final Logger LOG = System.getLogger("dev.tarn.client.cache");
  private static final int OPEN_MAX = 256;

  private final CacheFolder folder;
  private final Path objects;
  private final @Nullable CacheBudget budget;
  private final Map<StoredObject, KeptObject> open =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StoredObject, KeptObject> eldest) {
          return size() > OPEN_MAX;
        }
      };

  /** The needs of the current epochs. */
  private final Set<EpochPins> epochs = ConcurrentHashMap.newKeySet();

  private boolean ended;

  /**
   * Opens the cache.
   *
   * @param bytesMax bound of the kept bytes, of all processes together
   * @param needed objects whose current versions are not evicted until this is closed
   */
  DiskCache(CacheFolder folder, long bytesMax, Collection<StorageUrl> needed) throws IOException {
    this.folder = folder;
    this.objects = folder.folder("objects");
    Set<String> names = needed.stream().map(KeptObject::nameStart).collect(Collectors.toSet());
    this.budget = budget(bytesMax, names);
  }

  private @Nullable CacheBudget budget(long bytesMax, Set<String> names) {
    try {
      return new CacheBudget(folder, objects, bytesMax, names);
    } catch (IOException e) {
      end(e);
      return null;
    }
  }

  /** The kept bytes of an object; null if these are unknown. */
  @Nullable KeptObject find(StoredObject object) throws IOException {
    synchronized (open) {
      KeptObject kept = open.get(object);
      if (kept == null) {
        try {
          kept = KeptObject.open(objects, object);
        } catch (IOException e) {
          failed(e);
          return null;
        }
        open.put(object, kept);
      }
      return kept;
    }
  }

  /**
   * Begins an epoch, and tries to get room again from now on.
   *
   * @return the epoch's needs; null if other processes cannot be told of them
   */
  @Nullable EpochPins beginEpoch() {
    if (budget == null) {
      return null;
    }
    budget.retry();
    EpochPins pins = budget.epochPins();
    epochs.add(pins);
    return pins;
  }

  /** Ends an epoch; what it needed may be evicted. */
  void endEpoch(EpochPins pins) {
    epochs.remove(pins);
    try {
      pins.close();
    } catch (IOException e) {
      // The lock is released: the next process that looks deletes the files.
    }
  }

  /**
   * Records that the storage has a version of an object; loads what others have kept of it since.
   *
   * @param pins of the epoch that reads the version, if any; it stays until the epoch ends
   */
  void lookedUp(StoredObject object, @Nullable EpochPins pins) throws IOException {
    Name version = Name.of(object);
    KeptObject.lookedUp(objects, version);
    try {
      if (pins != null) {
        pins.add(version);
      }
      KeptObject known = known(object);
      if (known != null) {
        known.lookAgain();
      }
    } catch (IOException e) {
      failed(e);
    }
  }

  private @Nullable KeptObject known(StoredObject object) {
    synchronized (open) {
      return open.get(object);
    }
  }

  /** Takes room for some bytes of an object; false if there is none. */
  boolean take(KeptObject object, int bytes) throws IOException {
    return budget != null && budget.take(object.name(), bytes);
  }

  /** Ends a taking of room of which some bytes were not used. */
  void end(long taken, long unused) throws IOException {
    if (budget != null) {
      try {
        budget.end(taken, unused);
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  /** Whether keeping has ended. */
  synchronized boolean isEnded() {
    return ended;
  }

  /**
   * Ends the keeping and logs it once.
   *
   * @throws IOException the failure, if a reader was interrupted
   */
  void failed(IOException failure) throws IOException {
    if (failure instanceof ClosedByInterruptException
        || failure instanceof FileLockInterruptionException
        || failure instanceof InterruptedIOException) {
      throw failure;
    }
    end(failure);
  }

  private synchronized void end(IOException cause) {
    if (!ended) {
      ended = true;
      LOG.log(
          Level.WARNING,
          "cache {0} stores nothing more: {1}; other data is read from the dataset's storage",
          folder,
          cause.getMessage() == null ? cause : cause.getMessage());
    }
  }

  @Override
  public void close() {
    epochs.forEach(this::endEpoch);
    try {
      if (budget != null) {
        budget.close();
      }
    } catch (IOException e) {
      end(e);
    }
  }
}
