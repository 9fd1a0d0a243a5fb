package dev.tarn.shard.compression;

import java.io.IOException;
import java.io.InputStream;

/**
 * A decompressor of one compression. All except gzip need libraries, so they are in other modules.
 */
public interface Decompressor {
  /** Returns its compression. */
  Compression compression();

  /**
   * Returns the uncompressed bytes of a stream: of all its frames or members together.
   *
   * @param compressed closed with the result
   */
  InputStream decompress(InputStream compressed) throws IOException;
}
