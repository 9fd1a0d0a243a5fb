package dev.tarn.sharder.source.range;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of one archive with random access. Thread-safe. */
public interface PositionedBytes extends Closeable {
  /**
   * Returns the number of bytes; {@link Long#MAX_VALUE} if a compressed archive's length is
   * unknown.
   */
  long size();

  /** Reads until the buffer is full or the bytes end; returns the number of bytes. */
  int read(long offset, ByteBuffer target) throws IOException;
}
