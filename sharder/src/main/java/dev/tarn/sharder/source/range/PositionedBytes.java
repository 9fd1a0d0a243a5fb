package dev.tarn.sharder.source.range;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The bytes of one archive by their place, for many threads at once. */
public interface PositionedBytes extends Closeable {
  /** How many there are; unknown, and as large as can be, before a compressed one is at its end. */
  long size();

  /** Reads until the buffer is full or the bytes are at their end, and returns how many. */
  int read(long offset, ByteBuffer target) throws IOException;
}
