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
 * Bytes of objects on this machine's disk, within a bound.
 *
 * <p>Nothing that goes wrong with it is the reader's: the first failure to write, as on a full
 * disk, ends the keeping with one warning, and what is kept is read on. For use by many threads.
 */
final class DiskCache implements Closeable {
  private static final Logger LOG = System.getLogger("dev.tarn.client.cache");
  private static final int OPEN_MAX = 256;

  private final CacheFolder folder;
  private final Path objects;
  private final @Nullable Space space;
  private final Map<StoredObject, KeptObject> open =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<StoredObject, KeptObject> eldest) {
          return size() > OPEN_MAX;
        }
      };

  /** What those under way need. */
  private final Set<EpochNeeds> epochs = ConcurrentHashMap.newKeySet();

  private boolean ended;

  /**
   * @param bytesMax how many bytes are kept, all processes together
   * @param needed the objects whose present versions are not thrown out until this is closed
   */
  DiskCache(CacheFolder folder, long bytesMax, Collection<StorageUrl> needed) throws IOException {
    this.folder = folder;
    this.objects = folder.folder("objects");
    Set<String> names = needed.stream().map(KeptObject::nameStart).collect(Collectors.toSet());
    this.space = space(bytesMax, names);
  }

  private @Nullable Space space(long bytesMax, Set<String> names) {
    try {
      return new Space(folder, objects, bytesMax, names);
    } catch (IOException e) {
      end(e);
      return null;
    }
  }

  /** What is kept of an object; null if that cannot be told. */
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
   * Begins an epoch, and asks for room again from now on, after there was none.
   *
   * @return what the epoch needs; null if that cannot be told to others
   */
  @Nullable EpochNeeds beginEpoch() {
    if (space == null) {
      return null;
    }
    space.retry();
    EpochNeeds needs = space.epochNeeds();
    epochs.add(needs);
    return needs;
  }

  /** Ends it: what it needed may go. */
  void endEpoch(EpochNeeds needs) {
    epochs.remove(needs);
    try {
      needs.close();
    } catch (IOException e) {
      // The system's lock is gone: who looks next deletes the rest.
    }
  }

  /**
   * Notes that the storage has a version of an object; sees what others have kept of it since.
   *
   * @param needs of the epoch that reads it, if one does: it stays until that ends
   */
  void lookedUp(StoredObject object, @Nullable EpochNeeds needs) throws IOException {
    Name version = Name.of(object);
    KeptObject.lookedUp(objects, version);
    try {
      if (needs != null) {
        needs.add(version);
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
    return space != null && space.take(object.name(), bytes);
  }

  /** Ends what was begun by taking room for some bytes, of which some were not used. */
  void end(long taken, long unused) throws IOException {
    if (space != null) {
      try {
        space.end(taken, unused);
      } catch (IOException e) {
        failed(e);
      }
    }
  }

  /** Whether nothing more is kept. */
  synchronized boolean isEnded() {
    return ended;
  }

  /**
   * Keeps nothing more, and says so once.
   *
   * @throws IOException the failure, if it is that of a reader who was interrupted
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
          "cache {0}: nothing more is kept there: {1}; the rest is read from where it is",
          folder,
          cause.getMessage() == null ? cause : cause.getMessage());
    }
  }

  @Override
  public void close() {
    epochs.forEach(this::endEpoch);
    try {
      if (space != null) {
        space.close();
      }
    } catch (IOException e) {
      end(e);
    }
  }
}
