package dev.tarn.sharder.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;

/** What is packed. Safe for use by many threads at once. */
public interface Source extends AutoCloseable {
  /** How the user named it, for messages. */
  String url();

  /** Whether the listing has an order of its own, which a pack can keep. */
  boolean isOrdered();

  /**
   * The classes that the labels of its samples number, the members {@code cls}, in that order; none
   * if it says nothing of them.
   */
  default List<String> classes() throws IOException {
    return List.of();
  }

  /** Tells of all files, one at a time; in no particular order, unless the source is ordered. */
  void list(Consumer<SourceFile> action) throws IOException;

  /**
   * Reads a file from its beginning until the buffer is full or the file ends.
   *
   * @param target a buffer with an array
   * @return how many bytes
   */
  default int read(SourceFile file, ByteBuffer target) throws IOException {
    try (ReadableByteChannel data = open(file)) {
      int start = target.position();
      while (target.hasRemaining() && data.read(target) >= 0) {
        // until one of them is at its end
      }
      return target.position() - start;
    }
  }

  /** Opens a file that is too large to be read at once. */
  ReadableByteChannel open(SourceFile file) throws IOException;

  @Override
  void close() throws IOException;
}
