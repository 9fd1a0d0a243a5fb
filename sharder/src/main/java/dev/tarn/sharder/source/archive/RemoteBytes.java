package dev.tarn.sharder.source.archive;

import dev.tarn.sharder.source.SourceFailures;
import dev.tarn.sharder.source.range.PositionedBytes;
import dev.tarn.sharder.source.range.Ranged;
import dev.tarn.sharder.source.range.ReadAhead;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** An object, read by ranges of the version that was opened. */
final class RemoteBytes implements PositionedBytes, Ranged {
  private final ArchiveFile file;
  private final ReadAhead reads;

  RemoteBytes(ArchiveFile file, ReadAhead reads) {
    this.file = file;
    this.reads = reads;
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public InputStream open(long offset, long end) throws IOException {
    return file.storage().open(file.url(), offset, end, file.etag());
  }

  @Override
  public int read(long offset, ByteBuffer target) throws IOException {
    try {
      return reads.read(this, offset, target);
    } catch (IOException e) {
      throw SourceFailures.naming(file.name(), e);
    }
  }

  @Override
  public void close() {
    // The caller owns the storage.
  }
}
