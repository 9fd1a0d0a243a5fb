package dev.tarn.client.internal.cache;

import dev.tarn.client.internal.cache.KeptObject.Name;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of objects that an epoch reads. They stay until the epoch or its process ends. Safe
 * for several threads.
 */
final class EpochPins implements Closeable {
  private final Path folder;
  private final Path lock;
  private @Nullable PinFile declared;
  private boolean closed;

  /**
   * Begins without any versions.
   *
   * @param folder in which all processes declare their needs
   * @param lock of the cache
   */
  EpochPins(Path folder, Path lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Adds a version, which no process evicts from now on. */
  synchronized void add(Name version) throws IOException {
    if (closed) {
      return;
    }
    LockFile held = LockFile.hold(lock);
    try {
      PinFile pins = declared;
      if (pins == null) {
        pins = PinFile.open(folder, List.of());
        declared = pins;
      }
      pins.add(version.toString());
    } finally {
      held.close();
    }
  }

  /** Removes all versions. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    PinFile pins = declared;
    declared = null;
    if (pins != null) {
      pins.close();
    }
  }
}
