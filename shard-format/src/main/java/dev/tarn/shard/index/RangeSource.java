package dev.tarn.shard.index;

import java.io.IOException;
import java.io.InputStream;

/** Reads ranges of a stored shard. */
@FunctionalInterface
public interface RangeSource {
  /**
   * Opens the stored bytes of a range; the stream ends with the range.
   *
   * @param offset of the first byte
   * @param end the offset after the last byte
   */
  InputStream open(long offset, long end) throws IOException;
}
