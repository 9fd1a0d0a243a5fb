package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.FileHandles;
import dev.tarn.sharder.source.range.PositionedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A local file with positional reads. */
final class LocalBytes implements PositionedBytes {
  private final ArchiveFile file;
  private final Path path;
  private final FileHandles files;

  LocalBytes(ArchiveFile file, Path path, FileHandles files) {
    this.file = file;
    this.path = path;
    this.files = files;
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    int read;
    try {
      read = files.read(path, offset, target);
    } catch (IOException e) {
      throw SourceFailures.naming(file.name(), e);
    }
    file.requireUnchanged();
    return read;
  }

  @Override
  public void close() {
    // All sources share the open files.
  }
}
