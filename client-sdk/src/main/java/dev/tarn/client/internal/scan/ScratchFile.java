package dev.tarn.client.internal.scan;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file for the parts of a sample that do not fit into memory while its shard is read. */
public interface ScratchFile extends Closeable {
  /** Makes such files. */
  @FunctionalInterface
  interface Opening {
    /**
     * Makes a file, which vanishes when it is closed.
     *
     * @param content for messages
     */
    ScratchFile open(String content) throws IOException;
  }

  /** Appends bytes, and returns their number. */
  int write(ByteBuffer bytes) throws IOException;

  /** Fills the buffer from an offset of the file. */
  void read(long offset, ByteBuffer target) throws IOException;

  /** Discards the content. */
  void clear() throws IOException;
}
