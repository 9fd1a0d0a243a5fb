package dev.tarn.shard.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.shard.ShardFormatException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ShardIndexTest {
  private static final byte[] DIGEST = new byte[32];

  @TempDir Path directory;

  private static ByteBuffer built() {
    ShardIndexBuilder builder = new ShardIndexBuilder();
    builder.addMember("d/a.CLS", 512, 1, 17);
    builder.addMember("d/a.jpg", 1536, 1000, -17);
    builder.endSample(DIGEST);
    builder.addMember("caf\udce9.x.json", 3072, 0, 0);
    builder.endSample(new byte[32]);
    return builder.build(10_240, DIGEST);
  }

  @Test
  void samplesAreFoundByNumber() throws IOException {
    Path file = directory.resolve("s.tar" + ShardIndex.SUFFIX);
    Files.write(file, built().array());

    ShardIndex index = ShardIndex.open(file);

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
    ShardIndex index = ShardIndex.of("i", new ShardIndexBuilder().build(10_240, DIGEST));

    index.verify();
    assertThat(index.sampleCount()).isZero();
    assertThatThrownBy(() -> index.sample(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void everyFlippedBitIsNoticed() {
    byte[] file = built().array();
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
    byte[] file = built().array();
    for (int length = 0; length < file.length; length++) {
      ByteBuffer part = ByteBuffer.wrap(file, 0, length);
      assertThatThrownBy(() -> ShardIndex.of("i", part)).isInstanceOf(ShardFormatException.class);
    }
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
