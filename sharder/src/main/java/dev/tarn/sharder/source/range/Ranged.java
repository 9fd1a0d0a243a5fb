package dev.tarn.sharder.source.range;

import java.io.IOException;
import java.io.InputStream;

/** Bytes that are read by ranges; each range costs a request or similar. Thread-safe. */
public interface Ranged {
  /** Returns the number of bytes. */
  long size() throws IOException;

  /**
   * Opens a range; the stream ends with the range.
   *
   * @param offset of the first byte
   * @param end the offset after the last byte
   */
  InputStream open(long offset, long end) throws IOException;

  /**
   * Returns the best end of a read-ahead range.
   *
   * @param offset where the range starts
   * @param usual the default end
   */
  default long endAhead(long offset, long usual) throws IOException {
    return usual;
  }
}
