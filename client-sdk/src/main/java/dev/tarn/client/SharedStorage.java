package dev.tarn.client;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.Storage;

/** A storage that several users share; its close does nothing. */
final class SharedStorage extends ForwardingStorage {
  SharedStorage(Storage storage) {
    super(storage);
  }

  @Override
  public void close() {
    // Whoever opened the storage closes it.
  }
}
