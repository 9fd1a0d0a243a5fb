package dev.tarn.sharder.source;

import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A source of files to pack. Thread-safe. */
public interface Source extends AutoCloseable {
  /** Returns the name that the user gave it, for messages. */
  String url();

  /** Returns whether the listing has a defined order, which a pack can keep. */
  boolean isOrdered();

  /**
   * Returns the classes that its labels (members {@code cls}) number, in that order; empty if
   * unknown.
   */
  default List<String> classes() throws IOException {
    return List.of();
  }

  /**
   * Returns whether someone chose each file of the listing, so that hidden files are packed too;
   * see {@link RelativeNames#isHidden}.
   */
  default boolean isChosen() {
    return false;
  }

  /** Returns the name of the archive that the source is, without extension; null if it is none. */
  default @Nullable String archive() {
    return null;
  }

  /** Returns where the source has a file, for messages, such as {@code at byte 512}. */
  default String where(SourceFile file) {
    return "at " + file.path();
  }

  /** Lists all files, one at a time; in no particular order unless the source is ordered. */
  void list(Consumer<SourceFile> action) throws IOException;

  /**
   * Reads a file from its beginning until the buffer is full or the file ends.
   *
   * @param target a buffer with an array
   * @return the number of bytes
   */
  default int read(SourceFile file, ByteBuffer target) throws IOException {
    try (ReadableByteChannel data = open(file)) {
      int start = target.position();
      while (target.hasRemaining() && data.read(target) >= 0) {
        // until the buffer is full or the file ends
      }
      return target.position() - start;
    }
  }

  /** Returns where the bytes of a file lie: the file itself, or the archive or shard with it. */
  StorageUrl place(SourceFile file) throws IOException;

  /** Opens a file that is too large for one buffer. */
  ReadableByteChannel open(SourceFile file) throws IOException;

  @Override
  void close() throws IOException;
}
