package dev.tarn.client.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.internal.index.IndexStore;
import dev.tarn.client.internal.prefetch.Chunk;
import dev.tarn.client.internal.prefetch.Extent;
import dev.tarn.client.internal.prefetch.ExtentLayout.ByteSpan;
import dev.tarn.client.internal.prefetch.FetchOptions;
import dev.tarn.client.internal.prefetch.Gaps;
import dev.tarn.client.internal.prefetch.Prefetch;
import dev.tarn.client.internal.prefetch.PrefetchLimits;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class DecompressedBytesTest {
  private static final StorageUrl SHARD = StorageUrl.parse("memory://data/a.tar");
  private static final int LENGTH = 100_000;

  private final MemoryStorage storage = new MemoryStorage();

  private static byte[] gzipWithADamagedEnd() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(new byte[LENGTH]);
    }
    byte[] shard = bytes.toByteArray();
    shard[shard.length - 1] ^= 1;
    return shard;
  }

  @Test
  void memoryIsReleasedOnceIfTheRestCannotBeDecompressed() throws IOException {
    storage.write(SHARD, ByteBuffer.wrap(gzipWithADamagedEnd()));
    try (Prefetch prefetch =
        new Prefetch(
            storage,
            List.of(Extent.whole(ShardSource.of(SHARD))).iterator(),
            new IndexStore(storage, 1, Optional.empty()),
            new FetchOptions(false, false, false, false, new Gaps(0, 0)),
            PrefetchLimits.of(1 << 20, 2, 0))) {
      Chunk first = Objects.requireNonNull(prefetch.take());
      BackgroundDecompression decompression =
          new BackgroundDecompression(prefetch, new ExtentStream(prefetch, first), "a.tar");
      DecompressedBytes bytes =
          new DecompressedBytes("a.tar", decompression, List.of(new ByteSpan(0, LENGTH)));

      assertThatThrownBy(bytes::close).isInstanceOf(IOException.class);
      bytes.abandon();
      assertThat(prefetch.usedBytes()).isZero();
    }
  }
}
