package dev.tarn.sharder.compress;

import com.github.luben.zstd.util.ZstdVersion;
import dev.tarn.shard.compression.Compression;
import dev.tarn.sharder.plan.option.ShardCompression;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32;

/** The compressors of shards. */
public final class Compressors {
  private static final int GZIP_USUAL_LEVEL = 6;
  private static final int ZSTD_USUAL_LEVEL = 3;
  private static final long GZIP_BYTES_OUTSIDE_HEAP = 512 * 1024;
  private static final int[] GZIP_PROBE_LEVELS = {1, 6, 9};
  private static final int PROBE_LENGTH = 64 * 1024;

  private Compressors() {}

  /**
   * Opens a compressor.
   *
   * @throws IllegalArgumentException if there is none for that method
   */
  public static BlockCompressor open(ShardCompression compression) {
    Compression method =
        compression
            .method()
            .orElseThrow(() -> new IllegalArgumentException("plain archives have no compressor"));
    return switch (method) {
      case GZIP -> new GzipCompressor(compression.level().orElse(GZIP_USUAL_LEVEL));
      case ZSTD -> new ZstdCompressor(compression.level().orElse(ZSTD_USUAL_LEVEL));
      case BZIP2, XZ ->
          throw new IllegalArgumentException("shards are not compressed by " + method.text());
    };
  }

  /** Returns the maximum memory of a compressor outside of the heap, in bytes. */
  public static long bytesOutsideHeap(ShardCompression compression) {
    return compression.method().equals(Optional.of(Compression.ZSTD))
        ? ZstdCompressor.bytesOutsideHeap(compression.level().orElse(ZSTD_USUAL_LEVEL))
        : GZIP_BYTES_OUTSIDE_HEAP;
  }

  /**
   * Returns the name of the compressor; a compressor of another name may write other bytes. The JDK
   * does not give zlib's version, and zlib has several implementations. Its name therefore has a
   * checksum of its output for a fixed input.
   *
   * @return such as {@code zstd-1.5.7}
   */
  public static String encoder(Compression method) {
    return switch (method) {
      case GZIP -> "gzip-" + zlib();
      case ZSTD -> "zstd-" + ZstdVersion.VERSION;
      case BZIP2, XZ ->
          throw new IllegalArgumentException("shards are not compressed by " + method.text());
    };
  }

  private static String zlib() {
    byte[] sample = new byte[PROBE_LENGTH];
    Random random = new Random(PROBE_LENGTH);
    for (int i = 0; i < sample.length; i++) {
      int back = random.nextInt(1, 1 << random.nextInt(1, 16) | 2);
      sample[i] = i >= back && random.nextInt(8) > 0 ? sample[i - back] : (byte) random.nextInt(64);
    }
    CRC32 crc = new CRC32();
    for (int level : GZIP_PROBE_LEVELS) {
      try (BlockCompressor compressor = new GzipCompressor(level)) {
        ByteBuffer target = ByteBuffer.allocate(compressor.lengthMax(sample.length));
        compressor.compress(ByteBuffer.wrap(sample), target);
        crc.update(target.flip());
      }
    }
    return String.format(Locale.ROOT, "%08x", crc.getValue());
  }
}
