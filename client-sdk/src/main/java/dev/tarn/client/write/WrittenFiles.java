package dev.tarn.client.write;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Checks the files that a run stored before a manifest names them. */
public final class WrittenFiles {
  private WrittenFiles() {}

  /**
   * Requires that files are still those that a run stored. If two runs write to one place, the one
   * whose files were replaced must not overwrite the other's manifest.
   *
   * @param dataset the folder of the files
   * @throws IOException if a file was replaced or deleted; the message names it
   */
  public static void requireUntouched(
      Storage storage, StorageUrl dataset, Collection<StoredObject> files) throws IOException {
    Map<StorageUrl, StoredObject> missing = new HashMap<>();
    files.forEach(file -> missing.put(file.url(), file));
    try (Stream<StoredObject> stored = storage.list(dataset)) {
      stored.forEach(file -> {
        StoredObject ours = missing.get(file.url());
        if (ours != null && ours.agreesWith(file)) {
          missing.remove(file.url());
        }
      });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    if (!missing.isEmpty()) {
      throw new IOException(
          missing.keySet().iterator().next()
              + ": another process replaced or deleted it while this run packed into "
              + dataset
              + "; no dataset was written: make sure that one run at a time packs into a place");
    }
  }
}
