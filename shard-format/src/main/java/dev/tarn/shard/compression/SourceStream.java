package dev.tarn.shard.compression;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;

/** Remembers whether reading a storage failed, which is not the fault of what is stored there. */
public final class SourceStream extends InputStream {
  private final InputStream stream;
  private boolean failed;

  /**
   * @param stream closed together with this
   */
  public SourceStream(InputStream stream) {
    this.stream = requireNonNull(stream, "stream is null");
  }

  /** Whether reading has failed. */
  boolean hasFailed() {
    return failed;
  }

  @Override
  public int read() throws IOException {
    try {
      return stream.read();
    } catch (IOException e) {
      failed = true;
      throw e;
    }
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    try {
      return stream.read(target, offset, length);
    } catch (IOException e) {
      failed = true;
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
