package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Epochs that end early, or never, and the epoch that is set. */
final class EpochLengthTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final StorageUrl OTHER = StorageUrl.parse("memory://data/other");

  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 4, 50, 2000);
    Shards.dataset(storage, OTHER, 100, new int[] {30, 20}, 2000);
  }

  private DatasetBuilder unnamed() {
    return ShardDataset.builder()
        .storage(storage)
        .rank(0, 1)
        .seed(3)
        .shuffle(Shuffle.blocks(20_000))
        .memoryBudget(1 << 20);
  }

  private DatasetBuilder builder() {
    return unnamed().manifest(FOLDER.toString());
  }

  private static List<String> take(SampleIterator samples, int count) {
    List<String> keys = new ArrayList<>();
    while (keys.size() < count && samples.hasNext()) {
      keys.add(samples.next().key());
    }
    return keys;
  }

  @Test
  void epochThatIsSetIsTheOneThatIsStarted() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      List<String> third = Shards.keys(dataset, 3);
      dataset.setEpoch(3);

      try (SampleIterator samples = dataset.iterate();
          Stream<Sample> stream = dataset.stream()) {
        assertThat(take(samples, 200)).isEqualTo(third);
        assertThat(samples.checkpoint().epoch()).isEqualTo(3);
        assertThat(stream.map(Sample::key)).isEqualTo(third);
      }
      assertThat(Shards.keys(dataset, 4)).isNotEqualTo(third);
    }
  }

  @Test
  void limitEndsTheEpochOfAllRanksTogether() throws IOException {
    try (ShardDataset whole = builder().build()) {
      List<String> keys = Shards.keys(whole, 1);
      List<String> received = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        try (ShardDataset dataset = builder().limit(60).rank(rank, 3).build()) {
          assertThat(dataset.sampleCount()).hasValue(60);
          assertThat(dataset.rankSampleCount()).hasValue(20);
          received.addAll(Shards.keys(dataset, 1));
        }
      }
      assertThat(received).isEqualTo(keys.subList(0, 60));
    }
  }

  @Test
  void limitBeyondTheEndIsNone() throws IOException {
    try (ShardDataset dataset = builder().limit(1000).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(200);
    }
  }

  @Test
  void shardsWithoutAManifestHaveALimitToo() throws IOException {
    String spec = FOLDER + "/shard-{000000..000003}.tar";
    for (Shuffle shuffle : List.of(Shuffle.NONE, Shuffle.blocks(20_000))) {
      try (ShardDataset whole = unnamed().shards(spec).shuffle(shuffle).build();
          ShardDataset dataset = unnamed().shards(spec).shuffle(shuffle).limit(60).build()) {
        assertThat(Shards.keys(dataset, 1)).isEqualTo(Shards.keys(whole, 1).subList(0, 60));
      }
    }
  }

  @Test
  void resampledEpochHasNoEndAndRepeatsSamples() throws IOException {
    try (ShardDataset dataset = builder().resample().build();
        SampleIterator samples = dataset.iterate()) {
      List<String> keys = take(samples, 2000);

      assertThat(dataset.sampleCount()).isEmpty();
      assertThat(keys).hasSize(2000);
      assertThat(new HashSet<>(keys)).hasSize(200);
      assertThat(new HashSet<>(keys.subList(0, 200))).hasSizeLessThan(180);
      try (SampleIterator rest = dataset.resume(samples.checkpoint());
          SampleIterator again = dataset.iterate()) {
        assertThat(take(rest, 100)).isEqualTo(take(samples, 100));
        assertThat(take(again, 2000)).isEqualTo(keys);
      }
    }
  }

  @Test
  void resampledMixHasNoEndAndKeepsItsProportions() throws IOException {
    for (Shuffle shuffle : List.of(Shuffle.blocks(20_000), Shuffle.FULL)) {
      try (ShardDataset dataset =
              unnamed()
                  .manifest(FOLDER.toString(), 1)
                  .manifest(OTHER.toString(), 1)
                  .shuffle(shuffle)
                  .resample()
                  .build();
          SampleIterator samples = dataset.iterate()) {
        List<String> keys = take(samples, 3000);

        assertThat(keys).filteredOn(key -> key.startsWith("10")).hasSizeBetween(1495, 1505);
        assertThat(new HashSet<>(keys)).hasSize(250);
      }
    }
  }

  @Test
  void limitIsTheLengthOfAResampledEpoch() throws IOException {
    try (ShardDataset dataset = builder().shuffle(Shuffle.FULL).resample().limit(500).build()) {
      assertThat(dataset.sampleCount()).hasValue(500);
      assertThat(Shards.keys(dataset, 0)).hasSize(500).isNotEqualTo(Shards.keys(dataset, 1));
    }
  }

  @Test
  void lengthsThatCannotBeAreNamed() {
    assertThatThrownBy(() -> builder().limit(-1).build())
        .hasMessage("a limit of -1 samples, expected 0 or more");
    assertThatThrownBy(() -> builder().shuffle(Shuffle.NONE).resample().build())
        .hasMessageContaining("set a shuffle of blocks");
    assertThatThrownBy(() -> unnamed().shards(FOLDER + "/shard-000000.tar").resample().build())
        .hasMessageContaining(
            "the samples cannot be drawn: a dataset without a manifest has no sample numbers");
  }
}
