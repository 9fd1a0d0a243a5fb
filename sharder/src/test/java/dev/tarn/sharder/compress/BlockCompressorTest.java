package dev.tarn.sharder.compress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.shard.compression.Compression;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.sharder.plan.option.ShardCompression;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class BlockCompressorTest {
  private static byte[] text(int length, int seed) {
    byte[] bytes = new byte[length];
    Random random = new Random(seed);
    for (int i = 0; i < length; i++) {
      bytes[i] = i > 100 && random.nextInt(8) > 0 ? bytes[i - 100] : (byte) random.nextInt();
    }
    return bytes;
  }

  private static BlockCompressor open(Compression method) {
    return Compressors.open(new ShardCompression(Optional.of(method), OptionalInt.empty()));
  }

  private static byte[] whole(BlockCompressor compressor, byte[] block) {
    ByteBuffer target = ByteBuffer.allocate(compressor.lengthMax(block.length) + 7).position(7);
    compressor.compress(ByteBuffer.wrap(block), target);
    return Arrays.copyOfRange(target.array(), 7, target.position());
  }

  private static byte[] streamed(BlockCompressor compressor, byte[] block, int step)
      throws IOException {
    ByteArrayOutputStream result = new ByteArrayOutputStream();
    BlockStream stream =
        new BlockStream(
            compressor,
            block.length,
            bytes -> {
              byte[] copy = new byte[bytes.remaining()];
              bytes.get(copy);
              result.writeBytes(copy);
            });
    for (int from = 0; from < block.length; from += step) {
      stream.write(ByteBuffer.wrap(block, from, Math.min(step, block.length - from)));
    }
    return result.toByteArray();
  }

  private static byte[] decompressed(byte[] bytes) throws IOException {
    return ShardStreams.open("block", new ByteArrayInputStream(bytes)).readAllBytes();
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void blocksAreReadBackOneAfterTheOther(Compression method) throws IOException {
    ByteArrayOutputStream shard = new ByteArrayOutputStream();
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    byte[] noise = new byte[100_000];
    new Random(3).nextBytes(noise);
    try (BlockCompressor compressor = open(method)) {
      for (byte[] block : new byte[][] {text(4 << 20, 1), text(512, 2), noise, new byte[10_240]}) {
        tar.writeBytes(block);
        shard.writeBytes(whole(compressor, block));
      }
    }

    assertThat(shard.size()).isLessThan(tar.size() / 2);
    assertThat(decompressed(shard.toByteArray())).isEqualTo(tar.toByteArray());
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void blockThatNoMemoryHoldsHasTheSameBytesHoweverItComes(Compression method) throws IOException {
    byte[] block = text((5 << 20) + 17, 4);
    try (BlockCompressor compressor = open(method)) {
      byte[] once = streamed(compressor, block, block.length);

      assertThat(decompressed(once)).isEqualTo(block);
      assertThat(streamed(compressor, block, 70_001)).isEqualTo(once);
      assertThat(streamed(compressor, block, 3 << 20)).isEqualTo(once);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"GZIP", "ZSTD"})
  void blockDoesNotDependOnThoseBefore(Compression method) throws IOException {
    byte[] block = text(1 << 20, 5);
    try (BlockCompressor used = open(method);
        BlockCompressor fresh = open(method)) {
      var _ = whole(used, text(2 << 20, 6));
      var _ = streamed(used, text(2 << 20, 7), 1000);

      assertThat(whole(used, block)).isEqualTo(whole(fresh, block));
    }
  }

  @Test
  void encoderNamesWhatDecidesTheBytes() {
    assertThat(Compressors.encoder(Compression.GZIP)).matches("gzip-[0-9a-f]{8}");
    assertThat(Compressors.encoder(Compression.ZSTD)).matches("zstd-[0-9.]+-[0-9]+");
  }
}
