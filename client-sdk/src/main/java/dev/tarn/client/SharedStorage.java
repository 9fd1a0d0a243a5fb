package dev.tarn.client;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.Storage;

/** A storage that several read through: when one of them closes it, it stays open. */
final class SharedStorage extends ForwardingStorage {
  SharedStorage(Storage storage) {
    super(storage);
  }

  @Override
  public void close() {
    // Whoever opened it does.
  }
}
