package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

final class CompressedShardsTest {
  private static final StorageUrl SHARD = StorageUrl.parse("memory://test/shard.tar");
  private static final int SAMPLES = 120;

  enum Format {
    GZIP {
      @Override
      OutputStream compress(OutputStream target) throws IOException {
        return new GZIPOutputStream(target);
      }
    },
    ZSTD {
      @Override
      OutputStream compress(OutputStream target) throws IOException {
        return new ZstdOutputStream(target);
      }
    },
    XZ {
      @Override
      OutputStream compress(OutputStream target) throws IOException {
        return new XZOutputStream(target, new LZMA2Options(1));
      }
    },
    BZIP2 {
      @Override
      OutputStream compress(OutputStream target) throws IOException {
        return new BZip2CompressorOutputStream(target, 1);
      }
    };

    abstract OutputStream compress(OutputStream target) throws IOException;
  }

  private final MemoryStorage storage = new MemoryStorage();

  private static byte[] compressed(Format format, byte[] bytes) throws IOException {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    try (OutputStream compressing = format.compress(target)) {
      compressing.write(bytes);
    }
    return target.toByteArray();
  }

  private ShardDataset dataset() throws IOException {
    return ShardDataset.builder().storage(storage).shards(SHARD.toString()).build();
  }

  @ParameterizedTest
  @EnumSource
  void shardIsReadWhateverCompressesIt(Format format) throws IOException {
    byte[] tar = Shards.tar(3, SAMPLES, 5_000);
    storage.write(SHARD, ByteBuffer.wrap(compressed(format, tar)));

    assertThat(Shards.keys(dataset(), 0)).hasSize(SAMPLES).startsWith("3/000000", "3/000001");
  }

  @ParameterizedTest
  @EnumSource
  void framesOneAfterTheOtherAreOneShard(Format format) throws IOException {
    byte[] tar = Shards.tar(3, SAMPLES, 5_000);
    ByteArrayOutputStream frames = new ByteArrayOutputStream();
    frames.writeBytes(compressed(format, Arrays.copyOf(tar, 100_001)));
    frames.writeBytes(compressed(format, Arrays.copyOfRange(tar, 100_001, tar.length)));
    storage.write(SHARD, ByteBuffer.wrap(frames.toByteArray()));

    assertThat(Shards.keys(dataset(), 0)).hasSize(SAMPLES);
  }

  @ParameterizedTest
  @EnumSource
  void compressedShardCutShortIsAnErrorThatNamesIt(Format format) throws IOException {
    byte[] whole = compressed(format, Shards.tar(3, SAMPLES, 5_000));
    storage.write(SHARD, ByteBuffer.wrap(whole, 0, whole.length / 2));

    assertThatThrownBy(() -> Shards.keys(dataset(), 0))
        .isInstanceOf(DatasetException.class)
        .hasMessageContaining(SHARD.toString());
  }

  @ParameterizedTest
  @EnumSource
  void shardIsDecompressedBesideTheConsumerUntilTheIteratorIsClosed(Format format)
      throws IOException {
    byte[] tar = Shards.tar(3, SAMPLES, 100_000);
    storage.write(SHARD, ByteBuffer.wrap(compressed(format, tar)));

    Thread decompressing;
    try (SampleIterator samples = dataset().iterate(0)) {
      samples.next();
      // It cannot have come to the end: that lies beyond what it may read ahead.
      decompressing =
          Thread.getAllStackTraces().keySet().stream()
              .filter(thread -> thread.getName().equals("tarn-decompress"))
              .findFirst()
              .orElseThrow();
    }

    assertThat(decompressing.isAlive()).isFalse();
  }
}
