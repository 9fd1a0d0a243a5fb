package dev.tarn.transport.body;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes that are read by blocking, by one thread at a time. */
@FunctionalInterface
public interface ChunkSource extends AutoCloseable {
  /**
   * Reads at least one byte, up to the buffer's limit, or finds the end.
   *
   * @return false at the end
   */
  boolean read(ByteBuffer destination) throws IOException;

  /** Frees the source; there is nothing to free by default. */
  @Override
  default void close() {}
}
