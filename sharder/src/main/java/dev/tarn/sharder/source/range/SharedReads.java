package dev.tarn.sharder.source.range;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;

/**
 * Reads of parts of files, shared by all sources of a run. The number of open files and the memory
 * therefore do not grow with the number of sources.
 *
 * @param files local files
 * @param ahead reads of everything that is more expensive to read
 */
public record SharedReads(FileHandles files, ReadAhead ahead) implements Closeable {
  private static final int OPEN_FILES_MAX = 64;

  public SharedReads {
    requireNonNull(files, "files is null");
    requireNonNull(ahead, "ahead is null");
  }

  /** Creates an instance without open files. */
  public static SharedReads open() {
    return new SharedReads(new FileHandles(OPEN_FILES_MAX), new ReadAhead());
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
