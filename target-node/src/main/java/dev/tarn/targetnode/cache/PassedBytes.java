package dev.tarn.targetnode.cache;

import dev.tarn.targetnode.backend.Backend.BackendRead;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Copies bytes of a backend's answer into a buffer. */
final class PassedBytes {
  private PassedBytes() {}

  /** Reads at least one byte and returns the number; -1 at the end. */
  static int read(BackendRead read, ByteBuffer destination) throws IOException {
    byte[] chunk = new byte[destination.remaining()];
    int count = read.body().read(chunk);
    if (count > 0) {
      destination.put(chunk, 0, count);
    }
    return count;
  }
}
