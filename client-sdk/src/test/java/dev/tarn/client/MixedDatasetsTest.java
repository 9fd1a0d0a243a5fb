package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Several datasets in one epoch: their shards are numbered 0, 100 and 200 in the keys. */
final class MixedDatasetsTest {
  private static final String LARGE = "memory://data/large";
  private static final String SMALL = "memory://data/small";
  private static final String TINY = "memory://data/tiny";

  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, StorageUrl.parse(LARGE), 0, new int[] {200, 100, 300}, 2000);
    Shards.dataset(storage, StorageUrl.parse(SMALL), 100, new int[] {90, 0, 110}, 2000);
    Shards.dataset(storage, StorageUrl.parse(TINY), 200, new int[] {3, 4}, 2000);
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder().storage(storage).rank(0, 1).seed(5).memoryBudget(1 << 20);
  }

  private DatasetBuilder weighted(double large, double small) {
    return builder().manifest(LARGE, large).manifest(SMALL, small);
  }

  static Stream<Shuffle> shuffles() {
    return Stream.of(Shuffle.NONE, Shuffle.SHARDS, Shuffle.blocks(50_000), Shuffle.FULL);
  }

  private static int dataset(String key) {
    return Integer.parseInt(key.substring(0, key.indexOf('/'))) / 100;
  }

  private static List<String> of(int dataset, List<String> keys) {
    return keys.stream().filter(key -> dataset(key) == dataset).toList();
  }

  private static Map<String, Long> counts(List<String> keys) {
    return keys.stream().collect(Collectors.groupingBy(key -> key, Collectors.counting()));
  }

  private static void isTwice(String key, long count) {
    assertThat(count).as(key).isEqualTo(2);
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void withoutWeightsAnEpochHasAllSamplesOfEach(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset =
        builder().manifest(LARGE).manifest(SMALL).manifest(TINY).shuffle(shuffle).build()) {
      for (long epoch = 0; epoch < 3; epoch++) {
        assertThat(Shards.keys(dataset, epoch)).hasSize(807).doesNotHaveDuplicates();
      }
      assertThat(dataset.sampleCount()).hasValue(807);
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void wheneverOneStopsTheProportionsAreThoseOfTheWeights(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset = weighted(3, 1).shuffle(shuffle).build()) {
      List<String> keys = Shards.keys(dataset, 1);

      assertThat(keys).hasSize(800);
      int small = 0;
      for (int i = 0; i < keys.size(); i++) {
        small += dataset(keys.get(i));
        assertThat(4.0 * small).isBetween(i - 4.0, i + 6.0);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void datasetWhoseShareIsLessGoesOnInTheNextEpoch(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset = weighted(1, 1).shuffle(shuffle).build()) {
      List<String> large = new ArrayList<>();
      for (long epoch = 0; epoch < 3; epoch++) {
        large.addAll(of(0, Shards.keys(dataset, epoch)));
      }

      assertThat(large.subList(0, 400)).doesNotHaveDuplicates();
      assertThat(counts(large)).hasSize(600).allSatisfy(MixedDatasetsTest::isTwice);
    }
  }

  @ParameterizedTest
  @MethodSource("shuffles")
  void datasetWhoseShareIsMoreIsReadAgain(Shuffle shuffle) throws IOException {
    try (ShardDataset dataset = weighted(1, 1).shuffle(shuffle).build()) {
      List<String> small = of(1, Shards.keys(dataset, 0));

      assertThat(counts(small)).hasSize(200).allSatisfy(MixedDatasetsTest::isTwice);
    }
  }

  @Test
  void passesOfADatasetHaveOrdersOfTheirOwn() throws IOException {
    try (ShardDataset dataset =
        builder().manifest(LARGE, 1).manifest(TINY, 1).shuffle(Shuffle.FULL).build()) {
      List<String> tiny = of(2, Shards.keys(dataset, 0));
      Set<List<String>> passes =
          Stream.iterate(0, from -> from + 7 <= tiny.size(), from -> from + 7)
              .map(from -> tiny.subList(from, from + 7))
              .collect(Collectors.toSet());

      assertThat(passes).hasSizeGreaterThan(35);
      assertThat(passes).allSatisfy(pass -> assertThat(pass).doesNotHaveDuplicates().hasSize(7));
    }
  }

  @Test
  void memoryBudgetHasNoPartInTheOrder() throws IOException {
    for (Shuffle shuffle : shuffles().toList()) {
      try (ShardDataset dataset = weighted(2, 1).shuffle(shuffle).build();
          ShardDataset other = weighted(2, 1).shuffle(shuffle).memoryBudget(300_000).build()) {
        assertThat(Shards.keys(dataset, 4)).isEqualTo(Shards.keys(other, 4));
      }
    }
  }

  @Test
  void shardsWhoseIndexesTheSdkMakesAreMixedToo(@TempDir Path folder) throws IOException {
    try (ShardDataset dataset =
        builder()
            .shards(LARGE + "/shard-{000000..000002}.tar", 3)
            .manifest(SMALL, 1)
            .cache(folder.resolve("cache"))
            .shuffle(Shuffle.blocks(50_000))
            .build()) {
      List<String> keys = Shards.keys(dataset, 0);

      assertThat(of(0, keys)).hasSize(600).doesNotHaveDuplicates();
      assertThat(of(1, keys)).hasSize(200).doesNotHaveDuplicates();
    }
  }

  @Test
  void checkpointOfAnotherMixIsRefused() throws IOException {
    try (ShardDataset dataset = weighted(1, 1).build();
        ShardDataset other = weighted(2, 1).build();
        SampleIterator samples = dataset.iterate(0)) {
      Checkpoint checkpoint = samples.checkpoint();

      assertThatThrownBy(() -> other.resume(checkpoint))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("of the order none mix:400:400, not of none mix:");
    }
  }

  @Test
  void mixesThatCannotBeAreNamed() {
    assertThatThrownBy(() -> builder().manifest(LARGE).manifest(SMALL, 1).build())
        .hasMessageContaining("give a weight to all of them or to none");
    assertThatThrownBy(() -> weighted(1, -1).build()).hasMessageContaining("weight -1.0 of");
    assertThatThrownBy(() -> builder().manifest(LARGE).shards(SMALL + "/shard-000000.tar").build())
        .hasMessageContaining(
            "the 2 datasets cannot be mixed: a dataset without a manifest has no sample numbers");
  }
}
