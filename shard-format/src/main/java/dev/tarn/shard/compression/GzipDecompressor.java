package dev.tarn.shard.compression;

import java.io.InputStream;

/** The decompressor of the JDK. */
final class GzipDecompressor implements Decompressor {
  @Override
  public Compression compression() {
    return Compression.GZIP;
  }

  @Override
  public InputStream decompress(InputStream compressed) {
    return new GzipStream(compressed);
  }
}
