package dev.tarn.client.internal.decompress;

import com.github.luben.zstd.RecyclingBufferPool;
import com.github.luben.zstd.ZstdInputStream;
import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.Decompressor;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.tukaani.xz.XZInputStream;

/**
 * Decompresses zstd by zstd-jni, xz by org.tukaani:xz, and bzip2 by commons-compress. Only shards
 * with such a compression load the library; without such shards the library may be missing.
 */
public final class Decompressors {
  /** All decompressors of this class; each reads all frames or members of a stream. */
  public static final List<Decompressor> ALL =
      List.of(
          new Bound(Compression.ZSTD, Decompressors::zstd),
          new Bound(Compression.XZ, Decompressors::xz),
          new Bound(Compression.BZIP2, Decompressors::bzip2));

  /** The memory that xz's highest preset needs; streams that need more fail. */
  private static final int XZ_MEMORY_KIB_MAX = 128 * 1024;

  private Decompressors() {}

  private static InputStream zstd(InputStream compressed) throws IOException {
    return new ZstdInputStream(compressed, RecyclingBufferPool.INSTANCE);
  }

  private static InputStream xz(InputStream compressed) throws IOException {
    return new XZInputStream(compressed, XZ_MEMORY_KIB_MAX);
  }

  private static InputStream bzip2(InputStream compressed) throws IOException {
    return new BZip2CompressorInputStream(compressed, true);
  }

  private interface Opening {
    InputStream open(InputStream compressed) throws IOException;
  }

  private record Bound(Compression compression, Opening opening) implements Decompressor {
    @Override
    public InputStream decompress(InputStream compressed) throws IOException {
      try {
        return opening.open(compressed);
      } catch (NoClassDefFoundError e) {
        throw new IOException(
            "the library for %s is not on the class path: %s"
                .formatted(compression, e.getMessage()),
            e);
      }
    }
  }
}
