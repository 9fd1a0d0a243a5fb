package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.IndexedSample;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.index.ShardIndexBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Shards some of whose samples cannot be read: what is gone on with, and what is told of the rest.
 */
final class DamagedShardsTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final StorageUrl SECOND = FOLDER.child("shard-000001.tar");
  private static final int SAMPLES = 40;

  /** What the sample that was delivered last keeps of a budget of 512 KiB: two parts. */
  private static final long LAST_SAMPLES_BYTES_MAX = 2 * 32 * 1024;

  private final WatchedStorage storage = new WatchedStorage(new MemoryStorage());

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 3, SAMPLES, 3000);
  }

  private DatasetBuilder unnamed(long skippedMax) {
    return ShardDataset.builder()
        .storage(storage)
        .rank(0, 1)
        .memoryBudget(1 << 20)
        .errors(ErrorPolicy.skip(skippedMax));
  }

  private DatasetBuilder builder(long skippedMax) {
    return unnamed(skippedMax).manifest(FOLDER.toString());
  }

  private static List<String> keys(int shard, int from, int to) {
    List<String> keys = new ArrayList<>();
    for (int i = from; i < to; i++) {
      keys.add(Shards.key(shard, i));
    }
    return keys;
  }

  private static List<String> take(SampleIterator samples) {
    List<String> keys = new ArrayList<>();
    samples.forEachRemaining(sample -> keys.add(sample.key()));
    return keys;
  }

  private IndexedSample indexed(int sample) throws IOException {
    StorageUrl url = StorageUrl.parse(SECOND + ShardIndex.SUFFIX);
    byte[] index = storage.readAll(url, 1 << 20);
    return ShardIndex.of(url.toString(), ByteBuffer.wrap(index)).sample(sample);
  }

  /** Puts a sample of the second shard elsewhere in its index, whose checksums are right. */
  private void moveInIndex(int moved, long offset) throws IOException {
    StorageUrl url = StorageUrl.parse(SECOND + ShardIndex.SUFFIX);
    ShardIndex index =
        ShardIndex.of(url.toString(), ByteBuffer.wrap(storage.readAll(url, 1 << 20)));
    ShardIndexBuilder builder = new ShardIndexBuilder();
    for (int i = 0; i < index.sampleCount(); i++) {
      for (IndexedMember member : index.sample(i).members()) {
        long place = i == moved ? offset : member.offset();
        builder.addMember(member.name(), place, member.size(), member.crc32c());
      }
      builder.endSample(index.sampleDigest(i));
    }
    storage.write(url, builder.build(index.shardLength(), index.storedCrc32c()));
  }

  @ParameterizedTest
  @ValueSource(longs = {-5, Long.MIN_VALUE, 1L << 60, Long.MAX_VALUE})
  void indexThatLeadsOutOfTheShardIsCorruptAndReadNoFurther(long offset) throws IOException {
    moveInIndex(7, offset);
    try (ShardDataset strict = builder(0).shuffle(Shuffle.FULL).build();
        ShardDataset tolerant = builder(SAMPLES).shuffle(Shuffle.FULL).build();
        SampleIterator samples = tolerant.iterate()) {
      assertThatThrownBy(() -> Shards.keys(strict, 0))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("its index is corrupt: samples 7 to ")
          .hasMessageContaining(" have the bytes " + offset + " to ");
      assertThat(take(samples)).containsAll(keys(0, 0, SAMPLES)).containsAll(keys(2, 0, SAMPLES));
      assertThat(samples.damages()).extracting(Damage::shard).containsOnly(SECOND);
    }
  }

  @Test
  void messagesNameTheShardOnce() throws IOException {
    damage(indexed(7).members().get(1).offset(), 3);
    for (Shuffle shuffle : shuffles()) {
      try (ShardDataset dataset = builder(0).shuffle(shuffle).build()) {
        assertThatThrownBy(() -> Shards.keys(dataset, 0))
            .isInstanceOf(DatasetException.class)
            .message()
            .startsWith("shard " + SECOND + " at byte ")
            .contains("CRC32C")
            .containsOnlyOnce("shard-000001.tar");
      }
    }
    try (ShardDataset dataset = builder(1).build();
        SampleIterator samples = dataset.iterate()) {
      take(samples);
      assertThat(samples.damages())
          .singleElement()
          .satisfies(damage -> assertThat(damage.cause()).doesNotContain("shard-000001.tar"));
    }
  }

  /** Changes bytes of the second shard. */
  private void damage(long offset, int length) throws IOException {
    byte[] tar = storage.readAll(SECOND, 1 << 30);
    for (int i = 0; i < length; i++) {
      tar[(int) offset + i] ^= 0x55;
    }
    storage.write(SECOND, ByteBuffer.wrap(tar));
  }

  static List<Shuffle> shuffles() {
    return List.of(Shuffle.NONE, Shuffle.SHARDS, Shuffle.blocks(20_000), Shuffle.FULL);
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void damagedSampleIsSkippedAndNamed(Shuffle shuffle) throws IOException {
    IndexedSample bad = indexed(7);
    long offset = bad.members().get(1).offset();
    damage(offset, 3);
    try (ShardDataset dataset = builder(5).shuffle(shuffle).build();
        SampleIterator samples = dataset.iterate()) {
      assertThat(take(samples))
          .hasSize(3 * SAMPLES - 1)
          .doesNotHaveDuplicates()
          .doesNotContain(bad.key());
      assertThat(samples.checkpoint().remaining()).isZero();
      assertThat(samples.damages())
          .singleElement()
          .satisfies(damage -> {
            assertThat(damage.shard()).isEqualTo(SECOND);
            assertThat(damage.member()).isEqualTo(bad.members().get(1).name());
            assertThat(damage.offset()).isEqualTo(offset);
            assertThat(damage.cause()).contains("CRC32C");
            assertThat(damage.samples()).isEqualTo(1);
          });
    }
  }

  /** In the midst of parts, at their edges, and over two of them. */
  @ParameterizedTest
  @MethodSource("shuffles")
  void damageIsFoundWhereverItLies(Shuffle shuffle) throws IOException {
    for (int number = 0; number < SAMPLES; number++) {
      IndexedMember bad = indexed(number).members().get(0);
      if (bad.size() > 0) {
        damage(bad.offset() + bad.size() - 1, 1);
        try (ShardDataset dataset = builder(5).memoryBudget(1 << 18).shuffle(shuffle).build();
            SampleIterator samples = dataset.iterate()) {
          take(samples);
          assertThat(samples.damages()).extracting(Damage::member).containsExactly(bad.name());
        }
        damage(bad.offset() + bad.size() - 1, 1);
      }
    }
  }

  @Test
  void damagedHeadersHideNothingWhereThereIsAnIndex() throws IOException {
    damage(indexed(7).members().get(0).offset() - 512, 512);
    try (ShardDataset dataset = builder(1).verify(false).build();
        SampleIterator samples = dataset.iterate()) {
      assertThat(take(samples)).hasSize(3 * SAMPLES);
      assertThat(samples.damages()).isEmpty();
    }
  }

  @Test
  void withoutAnIndexTheRestOfTheShardIsSkipped() throws IOException {
    damage(indexed(7).members().get(0).offset() - 512, 512);
    try (ShardDataset dataset = unnamed(1).shards(FOLDER + "/shard-{000000..000002}.tar").build();
        SampleIterator samples = dataset.iterate()) {
      List<String> expected = new ArrayList<>(keys(0, 0, SAMPLES));
      expected.addAll(keys(1, 0, 6));
      expected.addAll(keys(2, 0, SAMPLES));
      assertThat(take(samples)).containsAll(expected).hasSizeBetween(86, 87);
      assertThat(samples.damages())
          .singleElement()
          .satisfies(damage -> {
            assertThat(damage.shard()).isEqualTo(SECOND);
            assertThat(damage.samples()).isEqualTo(1);
          });
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void missingShardIsSkippedWhole(Shuffle shuffle) throws IOException {
    storage.delete(SECOND);
    try (ShardDataset dataset = builder(SAMPLES).shuffle(shuffle).seed(2).build();
        SampleIterator samples = dataset.iterate()) {
      List<String> expected = new ArrayList<>(keys(0, 0, SAMPLES));
      expected.addAll(keys(2, 0, SAMPLES));
      assertThat(take(samples)).containsExactlyInAnyOrderElementsOf(expected);
      assertThat(samples.checkpoint().remaining()).isZero();
      assertThat(samples.damages().stream().mapToLong(Damage::samples).sum()).isEqualTo(SAMPLES);
      assertThat(samples.damages())
          .allSatisfy(damage -> assertThat(damage.cause()).contains("no such object"));
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void shardThatCannotBeReadFromSomewhereOnIsReadUpToThere(Shuffle shuffle) throws IOException {
    Shards.dataset(storage, FOLDER, 3, SAMPLES, 60_000);
    storage.failFrom(SECOND, 600_000);
    try (ShardDataset dataset = builder(SAMPLES).shuffle(shuffle).seed(2).build();
        SampleIterator samples = dataset.iterate()) {
      List<String> taken = take(samples);
      long skipped = samples.damages().stream().mapToLong(Damage::samples).sum();

      assertThat(taken).doesNotHaveDuplicates().containsAll(keys(0, 0, SAMPLES));
      assertThat(taken).containsAll(keys(2, 0, SAMPLES));
      assertThat(skipped).isBetween(5L, (long) SAMPLES - 5);
      assertThat(taken).hasSize(3 * SAMPLES - (int) skipped);
      assertThat(samples.checkpoint().remaining()).isZero();
    }
  }

  @Test
  void damagedCompressedShardIsReadUpToTheDamage() throws IOException {
    Shards.gzipDataset(storage, FOLDER, 3, SAMPLES, 3000, 10);
    damage(storage.stat(SECOND).size() / 2, 200);
    try (ShardDataset dataset = builder(SAMPLES).build();
        SampleIterator samples = dataset.iterate()) {
      List<String> taken = take(samples);
      long skipped = samples.damages().stream().mapToLong(Damage::samples).sum();

      assertThat(taken).containsAll(keys(1, 0, 10)).containsAll(keys(2, 0, SAMPLES));
      assertThat(skipped).isBetween(1L, 30L);
      assertThat(taken).hasSize(3 * SAMPLES - (int) skipped);
    }
  }

  /** What an epoch still holds when all of it was received, its last sample but for. */
  private long heldAtTheEnd(DatasetBuilder builder) throws IOException {
    try (ShardDataset dataset = builder.build();
        OpenEpoch.Samples samples = dataset.open(0).iterator()) {
      samples.forEachRemaining(sample -> {});
      assertThat(samples.damages()).hasSizeGreaterThan(50);
      return samples.usedBytes();
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void partsOfManyDamagedSamplesAreGivenBack(Shuffle shuffle) throws IOException {
    Shards.dataset(storage, FOLDER, 3, 400, 10_000);
    for (int sample = 0; sample < 400; sample += 3) {
      damage(indexed(sample).members().get(1).offset(), 1);
    }
    assertThat(heldAtTheEnd(builder(400).memoryBudget(512 * 1024).shuffle(shuffle)))
        .isLessThanOrEqualTo(LAST_SAMPLES_BYTES_MAX);
  }

  @Test
  void partsOfManyDamagedSamplesOfCompressedShardsAreGivenBack() throws IOException {
    Shards.gzipDataset(
        storage,
        FOLDER,
        3,
        400,
        Shards.noise(10_000),
        400,
        (index, tar) -> {
          for (int sample = 0; sample < 400; sample += 3) {
            tar[(int) index.memberOffset(index.sampleStart(sample) + 1)] ^= 0x55;
          }
        });
    assertThat(heldAtTheEnd(builder(1200).memoryBudget(512 * 1024)))
        .isLessThanOrEqualTo(LAST_SAMPLES_BYTES_MAX);
  }

  @Test
  void partsThatCannotBeFetchedAreGivenBack() throws IOException {
    Shards.dataset(storage, FOLDER, 100, 10, 20_000);
    for (int shard = 0; shard < 100; shard += 3) {
      storage.failFrom(FOLDER.child("shard-%06d.tar".formatted(shard)), 1);
      storage.failFrom(FOLDER.child("shard-%06d.tar".formatted(shard + 1)), 0);
    }
    assertThat(heldAtTheEnd(builder(1000).memoryBudget(512 * 1024)))
        .isLessThanOrEqualTo(LAST_SAMPLES_BYTES_MAX);
  }

  @Test
  void moreThanMayBeSkippedFails() throws IOException {
    damage(indexed(7).members().get(1).offset(), 3);
    damage(indexed(9).members().get(1).offset(), 3);
    try (ShardDataset dataset = builder(1).build();
        SampleIterator samples = dataset.iterate()) {
      assertThatThrownBy(() -> take(samples))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("CRC32C");
      assertThat(samples.damages()).hasSize(1);
    }
  }

  @Test
  void whatIsSkippedDoesNotComeAgainWhateverRanksGoOn() throws IOException {
    IndexedSample bad = indexed(7);
    damage(bad.members().get(0).offset(), 3);
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      Shuffle shuffle = shuffles().get(random.nextInt(4));
      List<String> received = new ArrayList<>();
      List<Checkpoint> parts = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        try (ShardDataset dataset = builder(5).shuffle(shuffle).seed(seed).rank(rank, 2).build();
            SampleIterator samples = dataset.iterate()) {
          for (int i = random.nextInt(60); i > 0 && samples.hasNext(); i--) {
            received.add(samples.next().key());
          }
          parts.add(samples.checkpoint());
        }
      }
      try (ShardDataset dataset = builder(5).shuffle(shuffle).seed(seed).build();
          SampleIterator samples = dataset.resume(Checkpoint.merge(parts))) {
        received.addAll(take(samples));
      }

      assertThat(received)
          .as("seed %d", seed)
          .hasSize(3 * SAMPLES - 1)
          .doesNotHaveDuplicates()
          .doesNotContain(bad.key());
    }
  }

  @Test
  void lessThanNothingIsNotSkipped() {
    assertThatThrownBy(() -> ErrorPolicy.skip(-1))
        .hasMessage("at most -1 samples to skip, expected 0 or more");
  }

  @Test
  @Timeout(60)
  void failureOfTheStorageItselfIsNotSkipped() throws IOException {
    storage.beforeRequest(
        SECOND,
        1,
        () -> {
          throw new IllegalStateException("a fault in the storage");
        });
    try (ShardDataset dataset = builder(1000).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(() -> take(samples))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("a fault in the storage");
      assertThat(samples.damages()).isEmpty();
    }
  }
}
