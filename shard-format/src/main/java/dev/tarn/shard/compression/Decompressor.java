package dev.tarn.shard.compression;

import java.io.IOException;
import java.io.InputStream;

/** Undoes one compression. Those beyond gzip need libraries, which this module does without. */
public interface Decompressor {
  /** What it undoes. */
  Compression compression();

  /**
   * The uncompressed bytes of a stream, of all its frames or members one after the other.
   *
   * @param compressed closed together with the result
   */
  InputStream decompress(InputStream compressed) throws IOException;
}
