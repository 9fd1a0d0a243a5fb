package dev.tarn.sharder.source.list;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** The lines of a file as bytes, without line ends. */
final class Lines implements Closeable {
  private static final int BUFFER_BYTES = 64 * 1024;

  /** Maximum length of a line in bytes, for all formats of lists. */
  static final int LINE_BYTES_MAX = 4 * 1024 * 1024;

  private final String list;
  private final InputStream stream;
  private long number;

  Lines(String list, InputStream stream) {
    this.list = list;
    this.stream = new BufferedInputStream(stream, BUFFER_BYTES);
  }

  /** Returns the next line; null at the end. */
  byte @Nullable [] next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    int next = stream.read();
    if (next < 0) {
      return null;
    }
    number++;
    for (; next >= 0 && next != '\n'; next = stream.read()) {
      if (line.size() == LINE_BYTES_MAX) {
        throw new IOException(
            "%s line %d: longer than %d bytes: is it a list?"
                .formatted(list, number, LINE_BYTES_MAX));
      }
      line.write(next);
    }
    byte[] bytes = line.toByteArray();
    boolean carriageReturn = bytes.length > 0 && bytes[bytes.length - 1] == '\r';
    return carriageReturn ? java.util.Arrays.copyOf(bytes, bytes.length - 1) : bytes;
  }

  /** Returns the number of the last returned line, from 1. */
  long number() {
    return number;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
