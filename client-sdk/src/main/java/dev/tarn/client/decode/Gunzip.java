package dev.tarn.client.decode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** Decompresses members that end in {@code .gz}. */
final class Gunzip {
  private static final int BUFFER_BYTES = 64 * 1024;

  private Gunzip() {}

  /**
   * Decompresses all gzip members of the bytes. Memory is allocated as bytes arrive. Only zeros may
   * follow, as in gzip and Python.
   */
  static ByteBuffer decompress(ByteBuffer compressed, int bytesMax) throws IOException {
    ByteArrayInputStream input = stream(compressed);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    do {
      // It leaves the input at the member's end, since the input supports marks.
      try (GzipCompressorInputStream member = new GzipCompressorInputStream(input)) {
        copy(member, bytes, bytesMax);
      }
    } while (hasMore(input));
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  private static void copy(GzipCompressorInputStream member, ByteArrayOutputStream to, int bytesMax)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    for (int count; (count = member.read(buffer)) >= 0; ) {
      if (count > bytesMax - to.size()) {
        throw new IOException("decompresses to more than the %d bytes allowed".formatted(bytesMax));
      }
      to.write(buffer, 0, count);
    }
  }

  private static boolean hasMore(ByteArrayInputStream input) {
    input.mark(0);
    int next = input.read();
    while (next == 0) {
      next = input.read();
    }
    input.reset();
    return next >= 0;
  }

  /** A stream of a buffer's bytes. */
  static ByteArrayInputStream stream(ByteBuffer bytes) {
    if (bytes.hasArray()) {
      int offset = bytes.arrayOffset() + bytes.position();
      return new ByteArrayInputStream(bytes.array(), offset, bytes.remaining());
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return new ByteArrayInputStream(copy);
  }
}
