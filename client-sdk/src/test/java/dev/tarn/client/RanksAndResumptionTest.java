package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An epoch that several consumers share, stop and go on with. */
final class RanksAndResumptionTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");

  private final MemoryStorage storage = new MemoryStorage();

  @AfterEach
  void close() {
    storage.close();
  }

  private DatasetBuilder builder(Shuffle shuffle, long seed) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .shuffle(shuffle)
        .seed(seed)
        .memoryBudget(1 << 20);
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Shuffle.NONE;
      case 1 -> Shuffle.SHARDS;
      case 2 -> Shuffle.FULL;
      default -> Shuffle.blocks(1 + random.nextInt(40_000));
    };
  }

  private static List<String> take(SampleIterator samples, long count) {
    List<String> keys = new ArrayList<>();
    while (keys.size() < count && samples.hasNext()) {
      keys.add(samples.next().key());
    }
    return keys;
  }

  @Test
  void restOfAnEpochIsInTheOrderInWhichItWouldHaveCome() throws IOException {
    Shards.dataset(storage, FOLDER, 4, 50, 1000);
    Random random = new Random(9);
    for (int round = 0; round < 40; round++) {
      Shuffle shuffle = shuffle(random);
      int stop = random.nextInt(201);
      try (ShardDataset dataset = builder(shuffle, 3).rank(0, 1).build();
          SampleIterator whole = dataset.iterate(1);
          SampleIterator begun = dataset.iterate(1)) {
        List<String> all = take(whole, Long.MAX_VALUE);
        assertThat(take(begun, stop)).isEqualTo(all.subList(0, stop));
        try (SampleIterator rest = dataset.resume(begun.checkpoint())) {
          assertThat(take(rest, Long.MAX_VALUE)).isEqualTo(all.subList(stop, all.size()));
        }
      }
    }
  }

  @Test
  void everyRankMakesTheSameNumberOfSteps() throws IOException {
    Shards.dataset(storage, FOLDER, 3, 37, 1000);
    for (Uneven uneven : Uneven.values()) {
      List<String> all = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        try (ShardDataset dataset =
                builder(Shuffle.blocks(9000), 3).rank(rank, 4).uneven(uneven).build();
            SampleIterator samples = dataset.iterate(0)) {
          List<String> keys = take(samples, Long.MAX_VALUE);
          assertThat(keys).hasSize(uneven == Uneven.DROP ? 27 : 28);
          assertThat(dataset.rankSampleCount()).hasValue(keys.size());
          all.addAll(keys);
        }
      }
      assertThat(all.stream().distinct().count()).isEqualTo(uneven == Uneven.DROP ? 108 : 111);
    }
  }

  @Test
  void whatEqualPartsLeaveOutIsSaid() throws IOException {
    Shards.dataset(storage, FOLDER, 3, 37, 1000);
    try (Warnings warnings = new Warnings();
        ShardDataset dataset = builder(Shuffle.NONE, 3).rank(1, 4).build()) {
      assertThat(dataset.droppedSampleCount()).hasValue(3);
      assertThat(dataset.repeatedSampleCount()).hasValue(0);
      assertThat(warnings.messages())
          .containsExactly(
              "rank 1 of 4: 3 of the 111 samples of an epoch are left out, so that each rank has"
                  + " 27; with Uneven.PAD samples come twice instead");
    }
  }

  @Test
  void whatEqualPartsRepeatIsSaid() throws IOException {
    Shards.dataset(storage, FOLDER, 3, 37, 1000);
    try (Warnings warnings = new Warnings();
        ShardDataset dataset = builder(Shuffle.NONE, 3).rank(3, 4).uneven(Uneven.PAD).build()) {
      assertThat(dataset.droppedSampleCount()).hasValue(0);
      assertThat(dataset.repeatedSampleCount()).hasValue(1);
      assertThat(warnings.messages())
          .containsExactly(
              "rank 3 of 4: 1 of the 111 samples of an epoch come twice, so that each rank has 28");
    }
  }

  @Test
  void partsThatAreEqualNeedNoWarning() throws IOException {
    Shards.dataset(storage, FOLDER, 3, 37, 1000);
    try (Warnings warnings = new Warnings()) {
      for (Uneven uneven : Uneven.values()) {
        try (ShardDataset alone = builder(Shuffle.NONE, 3).rank(0, 1).uneven(uneven).build();
            ShardDataset third = builder(Shuffle.NONE, 3).rank(2, 3).uneven(uneven).build();
            ShardDataset endless =
                builder(Shuffle.FULL, 3).resample().rank(2, 4).uneven(uneven).build()) {
          assertThat(alone.droppedSampleCount()).hasValue(0);
          assertThat(third.repeatedSampleCount()).hasValue(0);
          assertThat(endless.droppedSampleCount()).isEmpty();
          assertThat(endless.repeatedSampleCount()).isEmpty();
        }
      }
      assertThat(warnings.messages()).isEmpty();
    }
  }

  @Test
  void whatIsLeftOutWhenOtherRanksGoOnIsSaid() throws IOException {
    Shards.dataset(storage, FOLDER, 2, 50, 1000);
    Checkpoint merged;
    try (ShardDataset dataset = builder(Shuffle.SHARDS, 3).rank(0, 1).build();
        SampleIterator samples = dataset.iterate(4)) {
      take(samples, 30);
      merged = Checkpoint.merge(List.of(samples.checkpoint()));
    }
    try (ShardDataset dataset = builder(Shuffle.SHARDS, 3).rank(0, 4).build();
        Warnings warnings = new Warnings();
        SampleIterator samples = dataset.resume(merged)) {
      assertThat(take(samples, Long.MAX_VALUE)).hasSize(17);
      assertThat(warnings.messages())
          .containsExactly(
              "rank 0 of 4: 2 of the 70 samples of the rest of epoch 4 are left out, so that each"
                  + " rank has 17; with Uneven.PAD samples come twice instead");
      warnings.messages().clear();
      try (SampleIterator rest = dataset.resume(samples.checkpoint())) {
        assertThat(rest.hasNext()).isFalse();
      }
      assertThat(warnings.messages()).as("a rank that goes on with its own").isEmpty();
    }
  }

  @Test
  void checkpointOfAnotherOrderIsRefused() throws IOException {
    Shards.dataset(storage, FOLDER, 2, 10, 1000);
    try (ShardDataset dataset = builder(Shuffle.SHARDS, 3).rank(0, 1).build();
        ShardDataset other = builder(Shuffle.SHARDS, 4).rank(0, 1).build();
        SampleIterator samples = dataset.iterate(0)) {
      Checkpoint checkpoint = samples.checkpoint();

      assertThatThrownBy(() -> other.resume(checkpoint))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "the checkpoint is of the seed 3, not of 4: its positions mean other samples");
    }
  }
}
