package dev.tarn.standalone.demo;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** The demo's folder in a bucket of a running server. Closing deletes its objects. */
record DemoPlace(Storage storage, StorageUrl folder) implements AutoCloseable {
  private static final int DELETES_IN_FLIGHT = 32;

  DemoPlace {
    requireNonNull(storage, "storage is null");
    requireNonNull(folder, "folder is null");
  }

  @Override
  public void close() throws IOException {
    List<StorageUrl> objects;
    try (Stream<StoredObject> listed = storage.list(folder)) {
      objects = listed.map(StoredObject::url).toList();
    }
    InFlight.forEach(objects, DELETES_IN_FLIGHT, storage::delete);
  }
}
