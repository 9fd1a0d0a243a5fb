package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked for of the storage, and in how many requests. */
final class FetchedBytesTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SHARDS = 5;
  private static final int SAMPLES = 300;
  private static final double EXCESS_MAX = 1.1;

  private final MemoryStorage memory = new MemoryStorage();

  private static DatasetBuilder builder(WatchedStorage storage, Shuffle shuffle) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .rank(0, 1)
        .shuffle(shuffle)
        .seed(11)
        .memoryBudget(1 << 20);
  }

  private long storedBytes() {
    return memory
        .list(FOLDER)
        .filter(object -> object.url().toString().endsWith(".tar"))
        .mapToLong(object -> object.size())
        .sum();
  }

  static Stream<Arguments> rankings() {
    return Stream.of(Shuffle.NONE, Shuffle.SHARDS, Shuffle.blocks(60_000), Shuffle.FULL)
        .flatMap(shuffle -> Stream.of(1, 2, 3, 7, 16).map(ranks -> Arguments.of(shuffle, ranks)));
  }

  @ParameterizedTest
  @MethodSource("rankings")
  void rankFetchesLittleMoreThanItsShare(Shuffle shuffle, int ranks) throws IOException {
    Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 3000);
    double share = (double) storedBytes() / ranks;
    List<String> received = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      WatchedStorage storage = new WatchedStorage(memory);
      try (ShardDataset dataset = builder(storage, shuffle).rank(rank, ranks).build()) {
        received.addAll(Shards.keys(dataset, 3));
      }
      assertThat(storage.bytes(".tar")).isLessThan((long) (EXCESS_MAX * share));
    }
    assertThat(received).doesNotHaveDuplicates().hasSizeGreaterThan(SHARDS * SAMPLES - ranks);
  }

  @Test
  void fullShuffleReadsSmallGapsInsteadOfAskingAgain() throws IOException {
    Shards.dataset(memory, FOLDER, 1, 3000, 100);
    WatchedStorage storage = new WatchedStorage(memory);
    try (ShardDataset dataset = builder(storage, Shuffle.FULL).memoryBudget(16 << 20).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(3000).doesNotHaveDuplicates();
    }

    // Three times a third of the samples is read, about 670 runs of them. Gaps are a sixteenth of
    // it.
    assertThat(storage.requests(".tar")).isLessThan(1900);
    assertThat(storage.bytes(".tar")).isLessThan((long) (EXCESS_MAX * storedBytes()));
  }

  @Test
  void mixReadsEachByteOnce() throws IOException {
    StorageUrl other = StorageUrl.parse("memory://data/set/other");
    Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 3000);
    Shards.dataset(memory, other, 100, new int[] {100, 50}, 3000);
    WatchedStorage storage = new WatchedStorage(memory);
    try (ShardDataset dataset =
        builder(storage, Shuffle.SHARDS).manifest(other.toString()).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES + 150);
    }

    assertThat(storage.bytes(".tar")).isLessThanOrEqualTo(storedBytes());
    assertThat(storage.requests(".tar")).isLessThan(200);
  }

  @Test
  void compressedShardsAreReadInAnyOrder() throws IOException {
    Shards.gzipDataset(memory, FOLDER, 3, 100, 2000, 7);
    for (Shuffle shuffle : List.of(Shuffle.FULL, Shuffle.blocks(30_000))) {
      for (int rank = 0; rank < 3; rank++) {
        WatchedStorage storage = new WatchedStorage(memory);
        try (ShardDataset dataset = builder(storage, shuffle).rank(rank, 3).build()) {
          assertThat(Shards.keys(dataset, 0)).hasSize(100).doesNotHaveDuplicates();
        }
      }
    }
  }

  @Test
  void resumedFarIntoAnEpochItReadsOnlyTheRestAndTheBlockThatItIsIn() throws IOException {
    int blockBytes = 60_000;
    Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 3000);
    WatchedStorage storage = new WatchedStorage(memory);
    try (ShardDataset dataset = builder(storage, Shuffle.blocks(blockBytes)).build()) {
      Checkpoint checkpoint;
      try (SampleIterator begun = dataset.iterate(0)) {
        for (int i = 0; i < SHARDS * SAMPLES * 9 / 10; i++) {
          begun.next();
        }
        checkpoint = begun.checkpoint();
      }
      long before = storage.bytes(".tar");
      try (SampleIterator rest = dataset.resume(checkpoint)) {
        rest.forEachRemaining(sample -> {});
      }

      assertThat(storage.bytes(".tar") - before)
          .isLessThan((long) (EXCESS_MAX * (storedBytes() / 10 + blockBytes)));
    }
  }

  /** One request for each run of samples that is left of the block would take longer. */
  @Test
  void resumedWithinABlockItAsksForItByFewRequests() throws IOException {
    Shards.dataset(memory, FOLDER, 1, SAMPLES, 3000);
    WatchedStorage storage = new WatchedStorage(memory);
    try (ShardDataset dataset = builder(storage, Shuffle.blocks(200_000)).build()) {
      Checkpoint checkpoint;
      try (SampleIterator begun = dataset.iterate(0)) {
        Shards.take(begun, 20);
        checkpoint = begun.checkpoint();
      }
      int before = storage.requests(".tar");
      try (SampleIterator rest = dataset.resume(checkpoint)) {
        assertThat(Shards.take(rest, Integer.MAX_VALUE)).isEqualTo(SAMPLES - 20);
      }
      long parts = storedBytes() / (1 << 16) + 1;

      assertThat(storage.requests(".tar") - before).isLessThanOrEqualTo((int) parts + 2);
    }
  }

  /**
   * A full shuffle reads of a shard again and again: wherever that was replaced, it is an error.
   */
  @Test
  void shardThatIsReplacedBetweenItsPartsIsAnError() throws IOException {
    Shards.dataset(memory, FOLDER, 1, 300, 3000);
    StorageUrl shard = FOLDER.child("shard-000000.tar");
    for (int number = 2; number < 50; number++) {
      WatchedStorage storage = new WatchedStorage(memory);
      storage.beforeRequest(
          shard,
          number,
          () -> memory.write(shard, ByteBuffer.wrap(memory.readAll(shard, 1 << 30))));
      try (ShardDataset dataset =
              builder(storage, Shuffle.FULL)
                  .memoryBudget(256 * 1024)
                  .connections(1)
                  .verify(false)
                  .build();
          SampleIterator samples = dataset.iterate(0)) {
        assertThatThrownBy(() -> samples.forEachRemaining(sample -> {}))
            .as("replaced before request %d", number)
            .isInstanceOf(DatasetException.class)
            .hasMessageContaining(shard.toString())
            .hasMessageContaining("ETag");
      }
    }
  }
}
