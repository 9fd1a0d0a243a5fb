package dev.tarn.client.scan;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.shard.BulkInputStream;
import java.io.IOException;
import java.util.zip.CRC32C;

/** The bytes of a stored file; counts them and computes their checksum. */
final class StoredStream extends BulkInputStream {
  private final ObjectStream stored;
  private final ScanProgress progress;
  private final CRC32C crc = new CRC32C();

  /**
   * Wraps a stream.
   *
   * @param stored closed together with this
   * @param progress receives the number of bytes
   */
  StoredStream(ObjectStream stored, ScanProgress progress) {
    this.stored = stored;
    this.progress = progress;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    int read = stored.read(target, offset, length);
    if (read > 0) {
      crc.update(target, offset, read);
      progress.add(0, read);
    }
    return read;
  }

  /** The CRC32C of the bytes that were read. */
  int crc32c() {
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
