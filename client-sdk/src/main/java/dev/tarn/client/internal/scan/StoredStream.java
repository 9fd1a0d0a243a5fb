package dev.tarn.client.internal.scan;

import dev.tarn.client.storage.ObjectStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32C;

/** A stored file's bytes, which are counted and summed up as they pass. */
final class StoredStream extends InputStream {
  private final ObjectStream stored;
  private final ScanProgress progress;
  private final CRC32C crc = new CRC32C();

  /**
   * @param stored closed together with this
   * @param progress told of the bytes
   */
  StoredStream(ObjectStream stored, ScanProgress progress) {
    this.stored = stored;
    this.progress = progress;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
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

  /** The CRC32C of what was read. */
  int crc32c() {
    return (int) crc.getValue();
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
