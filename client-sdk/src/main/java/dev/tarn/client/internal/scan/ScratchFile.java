package dev.tarn.client.internal.scan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** What memory does not hold of a sample, in a file, while its shard is read. */
public interface ScratchFile extends Closeable {
  /** Makes such files. */
  @FunctionalInterface
  interface Opening {
    /**
     * Makes a file, which is gone when it is closed.
     *
     * @param content what it keeps, for messages
     */
    ScratchFile open(String content) throws IOException;
  }

  /** Writes all bytes behind those that are there; says how many. */
  int write(ByteBuffer bytes) throws IOException;

  /** Fills the buffer from a place in the file. */
  void read(long offset, ByteBuffer target) throws IOException;

  /** Throws away what was written. */
  void clear() throws IOException;
}
