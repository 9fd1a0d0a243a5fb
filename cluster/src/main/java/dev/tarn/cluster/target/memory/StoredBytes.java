package dev.tarn.cluster.target.memory;

/** Bytes that nobody changes any more. */
final class StoredBytes {
  private final byte[] array;

  StoredBytes(byte[] array) {
    this.array = array;
  }

  byte[] array() {
    return array;
  }
}
