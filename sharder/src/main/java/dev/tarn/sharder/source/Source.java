package dev.tarn.sharder.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;

/** What is packed. Safe for use by many threads at once. */
public interface Source {
  /** All files at any depth, in no particular order. */
  List<SourceFile> list() throws IOException;

  /**
   * Reads a file from its beginning until the buffer is full or the file ends.
   *
   * @return how many bytes
   */
  int read(SourceFile file, ByteBuffer target) throws IOException;

  /** Opens a file that is too large to be read at once. */
  ReadableByteChannel open(SourceFile file) throws IOException;
}
