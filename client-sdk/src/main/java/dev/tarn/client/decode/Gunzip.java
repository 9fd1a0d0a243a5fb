package dev.tarn.client.decode;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;

/** Decompresses members that end in {@code .gz}. */
final class Gunzip {
  private static final int BUFFER_BYTES = 64 * 1024;

  private Gunzip() {}

  /** The decompressed bytes, of all gzip members; memory is taken as they come. */
  static ByteBuffer decompress(ByteBuffer compressed, int bytesMax) throws IOException {
    try (InputStream gzip = new GZIPInputStream(stream(compressed), BUFFER_BYTES)) {
      byte[] bytes = gzip.readNBytes(bytesMax);
      if (gzip.read() >= 0) {
        throw new IOException("decompresses to more than the %d bytes allowed".formatted(bytesMax));
      }
      return ByteBuffer.wrap(bytes);
    }
  }

  /** A stream of a buffer's bytes. */
  static InputStream stream(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      int offset = bytes.arrayOffset() + bytes.position();
      return new ByteArrayInputStream(bytes.array(), offset, bytes.remaining());
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return new ByteArrayInputStream(copy);
  }
}
