package dev.tarn.transport.body;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Bytes from blocking reads, by one thread at a time. */
@FunctionalInterface
public interface ChunkSource extends AutoCloseable {
  /**
   * Reads at least one byte, up to the buffer's limit, or reaches the end.
   *
   * @return false at the end
   */
  boolean read(ByteBuffer destination) throws IOException;

  /**
   * Nobody takes the bytes for the time being. A source that holds something scarce, such as a
   * connection, gives it back, and gets it again at the next read. By default nothing happens.
   */
  default void idle() {}

  /** Frees the source; by default there is nothing to free. */
  @Override
  default void close() {}
}
