package dev.tarn.shard.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import dev.tarn.shard.compression.Compression;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ShardIndexTest {
  private static final byte[] DIGEST = new byte[32];

  private static ByteBuffer built() {
    ShardIndexBuilder builder = new ShardIndexBuilder();
    builder.addMember("d/a.CLS", 512, 1, 17);
    builder.addMember("d/a.jpg", 1536, 1000, -17);
    builder.endSample(DIGEST);
    builder.addMember("caf\udce9.x.json", 3072, 0, 0);
    builder.endSample(new byte[32]);
    return builder.build(10_240, 4);
  }

  private static ByteBuffer builtCompressed() {
    ShardRestarts restarts =
        new ShardRestarts(
            Compression.ZSTD, 5000, new long[] {0, 3072, 9216}, new long[] {0, 700, 4990});
    ShardIndexBuilder builder = new ShardIndexBuilder();
    builder.addMember("a.cls", 512, 1, 17);
    builder.endSample(DIGEST);
    return builder.build(10_240, 5, restarts);
  }

  @Test
  void samplesAreFoundByNumber() throws IOException {
    ShardIndex index = ShardIndex.of("s.tar" + ShardIndex.SUFFIX, built());

    index.verify();
    assertThat(index.sampleCount()).isEqualTo(2);
    assertThat(index.memberCount()).isEqualTo(3);
    assertThat(index.shardLength()).isEqualTo(10_240);
    assertThat(index.sample(1))
        .isEqualTo(
            new IndexedSample(
                "caf\udce9", List.of(new IndexedMember("caf\udce9.x.json", "x.json", 3072, 0, 0))));
    assertThat(index.sample(0))
        .isEqualTo(
            new IndexedSample(
                "d/a",
                List.of(
                    new IndexedMember("d/a.CLS", "cls", 512, 1, 17),
                    new IndexedMember("d/a.jpg", "jpg", 1536, 1000, -17))));
    assertThat(index.sample(0).size()).isEqualTo(1001);
  }

  @Test
  void indexOfAnEmptyShardHasNoSamples() throws IOException {
    ShardIndex index = ShardIndex.of("i", new ShardIndexBuilder().build(10_240, 4));

    index.verify();
    assertThat(index.sampleCount()).isZero();
    assertThatThrownBy(() -> index.sample(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void everyFlippedBitIsNoticed() {
    everyFlippedBitIsNoticed(built().array());
    everyFlippedBitIsNoticed(builtCompressed().array());
  }

  private static void everyFlippedBitIsNoticed(byte[] file) {
    boolean[] covered = coveredBySections(file);
    for (int i = 0; i < file.length; i++) {
      byte[] corrupt = file.clone();
      corrupt[i] ^= 0x10;
      if (covered[i]) {
        assertThatThrownBy(() -> ShardIndex.of("i", ByteBuffer.wrap(corrupt)).verify())
            .as("byte %d", i)
            .isInstanceOf(ShardFormatException.class)
            .hasMessageStartingWith("i at byte ");
      }
    }
  }

  /** All but the zeros that align the sections. */
  private static boolean[] coveredBySections(byte[] file) {
    ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
    boolean[] covered = new boolean[file.length];
    int sections = bytes.getInt(IndexFormat.SECTIONS_OFFSET);
    int header = IndexFormat.SECTION_TABLE_OFFSET + sections * IndexFormat.SECTION_ENTRY_LENGTH;
    Arrays.fill(covered, 0, header, true);
    for (int i = 0; i < sections; i++) {
      int at = IndexFormat.SECTION_TABLE_OFFSET + i * IndexFormat.SECTION_ENTRY_LENGTH;
      int offset = (int) bytes.getLong(at + IndexFormat.SECTION_OFFSET_OFFSET);
      int length = (int) bytes.getLong(at + IndexFormat.SECTION_LENGTH_OFFSET);
      Arrays.fill(covered, offset, offset + length, true);
    }
    return covered;
  }

  @Test
  void truncatedIndexIsRefused() {
    byte[] file = builtCompressed().array();
    for (int length = 0; length < file.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(file, 0, length);
      assertThatThrownBy(() -> ShardIndex.of("i", part)).isInstanceOf(ShardFormatException.class);
    }
  }

  @Test
  void compressedShardIsEnteredAtTheRestartBeforeAnOffset() throws IOException {
    ShardIndex index = ShardIndex.of("i", builtCompressed());
    ShardRestarts restarts = index.restarts().orElseThrow();

    index.verify();
    assertThat(index.shardLength()).isEqualTo(10_240);
    assertThat(index.storedLength()).isEqualTo(5000);
    assertThat(restarts.compression()).isEqualTo(Compression.ZSTD);
    assertThat(restarts.before(0)).isZero();
    assertThat(restarts.before(3071)).isZero();
    assertThat(restarts.before(3072)).isEqualTo(1);
    assertThat(restarts.before(10_239)).isEqualTo(2);
    assertThat(restarts.storedEnd(1)).isEqualTo(700);
    assertThat(restarts.storedEnd(3072)).isEqualTo(700);
    assertThat(restarts.storedEnd(3073)).isEqualTo(4990);
    assertThat(restarts.storedEnd(10_240)).isEqualTo(5000);
  }

  @Test
  void plainShardHasNoRestartsAndIsStoredAsItIs() throws IOException {
    ShardIndex index = ShardIndex.of("i", built());

    assertThat(index.restarts()).isEmpty();
    assertThat(index.storedLength()).isEqualTo(10_240);
  }

  @Test
  void readerThatKnewNoRestartsWouldRefuseTheIndex() {
    int flags = builtCompressed().order(ByteOrder.LITTLE_ENDIAN).getInt(12);

    assertThat(flags).isEqualTo(1);
    assertThat(built().order(ByteOrder.LITTLE_ENDIAN).getInt(12)).isZero();
  }

  @Test
  void restartsThatDoNotAscendAreRefused() {
    assertThatThrownBy(
            () -> new ShardRestarts(Compression.GZIP, 50, new long[] {0, 9}, new long[] {0, 50}))
        .hasMessageContaining("behind the shard's end");
    assertThatThrownBy(
            () -> new ShardRestarts(Compression.GZIP, 50, new long[] {0, 0}, new long[] {0, 5}))
        .hasMessageContaining("restart 1 does not follow");
    assertThatThrownBy(
            () -> new ShardRestarts(Compression.GZIP, 50, new long[] {1}, new long[] {0}))
        .hasMessageContaining("beginning");
  }

  @Test
  void unknownVersionIsRefusedByName() {
    ByteBuffer file = built();
    file.put(IndexFormat.VERSION_OFFSET, (byte) 2);

    assertThatThrownBy(() -> ShardIndex.of("i", file))
        .hasMessageContaining("index format version 2; this reader knows 1");
  }

  @Test
  void unknownRequiredFeatureIsRefusedByName() {
    ByteBuffer file = built();
    file.put(IndexFormat.REQUIRED_FLAGS_OFFSET, (byte) 4);

    assertThatThrownBy(() -> ShardIndex.of("i", file)).hasMessageContaining("flags 0x4");
  }
}
