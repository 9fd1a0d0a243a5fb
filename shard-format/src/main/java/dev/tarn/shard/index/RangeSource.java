package dev.tarn.shard.index;

import java.io.IOException;
import java.io.InputStream;

/** Reads parts of a shard as it is stored. */
@FunctionalInterface
public interface RangeSource {
  /**
   * The stored bytes of a range, which ends with the stream.
   *
   * @param offset of the first
   * @param end the offset behind the last
   */
  InputStream open(long offset, long end) throws IOException;
}
