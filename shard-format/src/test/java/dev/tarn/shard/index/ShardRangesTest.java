package dev.tarn.shard.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

final class ShardRangesTest {
  private static final int LENGTH = 30 * 512;
  private static final int BLOCK = 7 * 512;

  private final byte[] tar = new byte[LENGTH];

  /** The ranges of the stored bytes that were asked for. */
  private long askedFrom = Long.MAX_VALUE;

  private long askedTo;

  ShardRangesTest() {
    new Random(5).nextBytes(tar);
  }

  private RangeSource stored(byte[] bytes) {
    return (offset, end) -> {
      askedFrom = Math.min(askedFrom, offset);
      askedTo = Math.max(askedTo, end);
      int from = (int) Math.min(offset, bytes.length);
      return new ByteArrayInputStream(bytes, from, (int) Math.min(end, bytes.length) - from);
    };
  }

  private ShardRanges plain(byte[] bytes) throws IOException {
    ShardIndex index = ShardIndex.of("i", new ShardIndexBuilder().build(LENGTH, 0));
    return new ShardRanges("s.tar", index, stored(bytes));
  }

  @SuppressWarnings("ArrayRecordComponent")
  private record Compressed(byte[] bytes, ShardRestarts restarts) {}

  private Compressed compressed() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    int blocks = (LENGTH + BLOCK - 1) / BLOCK;
    long[] offsets = new long[blocks];
    long[] storedOffsets = new long[blocks];
    for (int i = 0; i < blocks; i++) {
      offsets[i] = (long) i * BLOCK;
      storedOffsets[i] = bytes.size();
      try (OutputStream gzip = new GZIPOutputStream(bytes)) {
        gzip.write(tar, i * BLOCK, Math.min(BLOCK, LENGTH - i * BLOCK));
      }
    }
    return new Compressed(
        bytes.toByteArray(),
        new ShardRestarts(Compression.GZIP, bytes.size(), offsets, storedOffsets));
  }

  private ShardRanges gzip(byte[] bytes, ShardRestarts restarts) throws IOException {
    ShardIndex index = ShardIndex.of("i", new ShardIndexBuilder().build(LENGTH, 0, restarts));
    return new ShardRanges("s.tar.gz", index, stored(bytes));
  }

  private static byte[] read(ShardRanges ranges, long offset, long end) throws IOException {
    try (InputStream stream = ranges.open(offset, end)) {
      return stream.readAllBytes();
    }
  }

  @Test
  void anyRangeOfAShardIsReadWhetherItIsCompressedOrNot() throws IOException {
    Compressed compressed = compressed();
    Random random = new Random(6);
    for (ShardRanges ranges :
        List.of(plain(tar), gzip(compressed.bytes(), compressed.restarts()))) {
      for (int i = 0; i < 200; i++) {
        int offset = random.nextInt(LENGTH + 1);
        int end = offset + random.nextInt(LENGTH + 1 - offset);
        assertThat(read(ranges, offset, end))
            .as("%d to %d", offset, end)
            .isEqualTo(Arrays.copyOfRange(tar, offset, end));
      }
      assertThat(read(ranges, 0, LENGTH)).isEqualTo(tar);
    }
  }

  @Test
  void compressedShardIsReadFromTheRestartBeforeToTheRestartBehind() throws IOException {
    Compressed compressed = compressed();
    ShardRestarts restarts = compressed.restarts();

    read(gzip(compressed.bytes(), restarts), BLOCK + 10, 2 * BLOCK);

    assertThat(askedFrom).isEqualTo(restarts.storedOffset(1));
    assertThat(askedTo).isEqualTo(restarts.storedOffset(2));
  }

  @Test
  void shardWithFewerBytesThanItsIndexFailsTheReading() throws IOException {
    Compressed compressed = compressed();
    byte[] cut = Arrays.copyOf(compressed.bytes(), compressed.bytes().length - 20);
    byte[] firstBlock =
        Arrays.copyOf(compressed.bytes(), (int) compressed.restarts().storedOffset(1));

    for (ShardRanges ranges :
        List.of(
            plain(Arrays.copyOf(tar, LENGTH - 1)),
            gzip(cut, compressed.restarts()),
            gzip(firstBlock, compressed.restarts()))) {
      assertThatThrownBy(() -> read(ranges, 0, LENGTH))
          .isInstanceOf(ShardFormatException.class)
          .hasMessageContaining("the shard ends here, its index is of a longer one");
      assertThatThrownBy(() -> read(ranges, LENGTH - 1, LENGTH))
          .isInstanceOf(ShardFormatException.class)
          .hasMessageContaining("at byte " + (LENGTH - 1));
    }
  }

  @Test
  void rangeOutsideOfTheShardIsRefused() throws IOException {
    ShardRanges ranges = plain(tar);

    assertThatThrownBy(() -> ranges.open(0, LENGTH + 1))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> ranges.open(-1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(read(ranges, LENGTH, LENGTH)).isEmpty();
  }

  @Test
  void bytesThatAreNotOfTheCompressionAreNamed() throws IOException {
    ShardRestarts restarts =
        new ShardRestarts(Compression.ZSTD, 100, new long[] {0}, new long[] {0});
    ShardRanges ranges = gzip(new byte[100], restarts);

    assertThatThrownBy(() -> read(ranges, 0, 1))
        .hasMessageContaining("s.tar.gz")
        .hasMessageContaining("the archive cannot be decompressed");
  }
}
