package dev.tarn.client.internal.cache;

import dev.tarn.client.internal.cache.KeptObject.Name;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of objects that an epoch reads. They stay until it ends, or its process does. For
 * use by many threads.
 */
final class EpochNeeds implements Closeable {
  private final Path folder;
  private final Path lock;
  private @Nullable Needs told;
  private boolean closed;

  /**
   * Begins with none.
   *
   * @param folder where all tell what they need
   * @param lock of the cache
   */
  EpochNeeds(Path folder, Path lock) {
    this.folder = folder;
    this.lock = lock;
  }

  /** Tells of one more. Whoever makes room from now on lets it stay. */
  synchronized void add(Name version) throws IOException {
    if (closed) {
      return;
    }
    HeldFile held = HeldFile.hold(lock);
    try {
      Needs needs = told;
      if (needs == null) {
        needs = Needs.open(folder, List.of());
        told = needs;
      }
      needs.add(version.toString());
    } finally {
      held.close();
    }
  }

  /** Lets all of them go. */
  @Override
  public synchronized void close() throws IOException {
    closed = true;
    Needs needs = told;
    told = null;
    if (needs != null) {
      needs.close();
    }
  }
}
