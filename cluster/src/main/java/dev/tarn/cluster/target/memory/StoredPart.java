package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.object.ObjectPart;

/** A part with its bytes. */
record StoredPart(ObjectPart part, StoredBytes stored) {
  byte[] bytes() {
    return stored.array();
  }
}
