package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.OpenFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file, by positional reads. */
final class LocalBytes implements ArchiveBytes {
  private final ArchiveFile file;
  private final FileChannel channel;

  LocalBytes(ArchiveFile file, Path path) throws IOException {
    this.file = file;
    try {
      this.channel = FileChannel.open(path, StandardOpenOption.READ);
    } catch (IOException e) {
      throw SourceFailures.naming(file.name(), e);
    }
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    int read = OpenFiles.read(channel, offset, target);
    file.requireUnchanged();
    return read;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
