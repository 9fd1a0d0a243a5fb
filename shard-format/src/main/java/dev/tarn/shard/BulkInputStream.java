package dev.tarn.shard;

import java.io.IOException;
import java.io.InputStream;

/** A stream whose subclasses read only into arrays. A single byte is read into an array of one. */
public abstract class BulkInputStream extends InputStream {
  private final byte[] one = new byte[1];

  @Override
  public final int read() throws IOException {
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public abstract int read(byte[] target, int offset, int length) throws IOException;
}
