package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.ObjectMetadata;

/**
 * An object with its bytes.
 *
 * @param uploadId the upload that made it, empty where none did
 */
record StoredObject(ObjectMetadata metadata, StoredBytes stored, String uploadId) {
  byte[] bytes() {
    return stored.array();
  }

  int length() {
    return bytes().length;
  }
}
