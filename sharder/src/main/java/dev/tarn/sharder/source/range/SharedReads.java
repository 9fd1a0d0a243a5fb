package dev.tarn.sharder.source.range;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;

/**
 * What all sources of a run read parts of files by, so that neither open files nor memory grow with
 * the number of sources.
 *
 * @param files local ones
 * @param ahead of whatever costs more to read
 */
public record SharedReads(FileHandles files, ReadAhead ahead) implements Closeable {
  private static final int OPEN_FILES_MAX = 64;

  public SharedReads {
    requireNonNull(files, "files is null");
    requireNonNull(ahead, "ahead is null");
  }

  /** With nothing open yet. */
  public static SharedReads open() {
    return new SharedReads(new FileHandles(OPEN_FILES_MAX), new ReadAhead());
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
