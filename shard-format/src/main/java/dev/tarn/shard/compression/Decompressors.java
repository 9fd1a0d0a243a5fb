package dev.tarn.shard.compression;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Decompresses gzip by the JDK, zstd by zstd-jni, xz by org.tukaani:xz, and bzip2 by
 * commons-compress. All frames or members of a stream are read.
 */
final class Decompressors {
  /** The memory that xz's highest preset needs; streams that need more fail. */
  private static final int XZ_MEMORY_KIB_MAX = 128 * 1024;

  private Decompressors() {}

  /**
   * Returns the uncompressed bytes of a stream.
   *
   * @param compressed closed with the result
   */
  static InputStream open(Compression compression, InputStream compressed) throws IOException {
    return switch (compression) {
      case GZIP -> new GzipStream(compressed);
      case ZSTD -> new ZstdInputStream(compressed, RecyclingBufferPool.INSTANCE);
      case XZ -> new XZInputStream(compressed, XZ_MEMORY_KIB_MAX);
      case BZIP2 -> new BZip2CompressorInputStream(compressed, true);
    };
  }
}
