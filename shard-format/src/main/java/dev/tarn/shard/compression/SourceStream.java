package dev.tarn.shard.compression;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;

/** Records whether reading from the storage failed, to separate this from corrupt data. */
public final class SourceStream extends InputStream {
  private final InputStream stream;
  private boolean failed;

  /**
   * @param stream closed with this stream
   */
  public SourceStream(InputStream stream) {
    this.stream = requireNonNull(stream, "stream is null");
  }

  /** Returns whether reading has failed. */
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
