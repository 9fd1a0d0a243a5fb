package dev.tarn.targetnode.cache;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that are read by blocking. One thread at a time. */
interface ChunkSource extends AutoCloseable {
  /**
   * Reads at least one byte, up to the buffer's limit, or finds the end.
   *
   * @return false at the end
   */
  boolean read(ByteBuffer destination) throws IOException;

  @Override
  void close();
}
