package dev.tarn.sharder.source.range;

import java.io.IOException;
import java.io.InputStream;

/** Bytes that are read by ranges, each of which costs a request or the like. For many threads. */
public interface Ranged {
  /** How many bytes there are. */
  long size() throws IOException;

  /**
   * The bytes of a range, which ends with the stream.
   *
   * @param offset of the first
   * @param end the offset behind the last
   */
  InputStream open(long offset, long end) throws IOException;

  /**
   * Where a reader who goes on from an offset had better stop.
   *
   * @param usual where he would otherwise
   */
  default long endAhead(long offset, long usual) throws IOException {
    return usual;
  }
}
