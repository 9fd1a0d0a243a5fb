package dev.tarn.sharder.index;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.progress.Progress;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/** A stored file's bytes, which are hashed as they pass. */
public final class HashedStream extends InputStream {
  private final ObjectStream stored;
  private final Progress progress;
  private final MessageDigest sha256 = Sha256.newDigest();

  /**
   * @param stored closed together with this
   * @param progress told of the bytes
   */
  public HashedStream(ObjectStream stored, Progress progress) {
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
      sha256.update(target, offset, read);
      progress.add(0, read);
    }
    return read;
  }

  /** The SHA-256 of what was read; once, at the end. */
  public Sha256 sha256() {
    return Sha256.of(sha256.digest());
  }

  @Override
  public void close() throws IOException {
    stored.close();
  }
}
