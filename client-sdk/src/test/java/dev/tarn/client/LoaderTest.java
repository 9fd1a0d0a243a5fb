package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.loader.TransformException;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Samples that are filtered, mapped by threads and put into batches. */
final class LoaderTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SAMPLES = 210;

  private final MemoryStorage storage = new MemoryStorage();

  @BeforeEach
  void pack() throws IOException {
    Shards.dataset(storage, FOLDER, 3, SAMPLES / 3, 5000);
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .rank(0, 1)
        .seed(3)
        .shuffle(Shuffle.blocks(50_000))
        .memoryBudget(1 << 20);
  }

  private static <T> List<T> take(ResumableIterator<T> values, long count) {
    List<T> taken = new ArrayList<>();
    while (taken.size() < count && values.hasNext()) {
      taken.add(values.next());
    }
    return taken;
  }

  private static <T> List<T> all(Loader<T> loader) {
    try (ResumableIterator<T> values = loader.iterate()) {
      return take(values, Long.MAX_VALUE);
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tarn-"))
        .toList();
  }

  private static boolean isEven(Sample sample) {
    return sample.key().hashCode() % 2 == 0;
  }

  @Test
  void whatIsFilteredOutCountsAsConsumed() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      List<String> wanted =
          Shards.keys(dataset, 0).stream().filter(key -> key.hashCode() % 2 == 0).toList();
      Loader<Sample> loader = dataset.loader().filter(LoaderTest::isEven);
      try (ResumableIterator<Sample> samples = loader.iterate()) {
        List<String> keys = new ArrayList<>();
        samples.forEachRemaining(sample -> keys.add(sample.key()));

        assertThat(keys).isEqualTo(wanted).hasSizeBetween(50, 160);
        assertThat(samples.checkpoint().remaining()).isZero();
        assertThat(loader.count()).isEmpty();
      }
    }
  }

  @Test
  void orderedMapKeepsTheOrderThoughALaterOneIsDoneFirst() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      List<String> keys = Shards.keys(dataset, 0);
      CountDownLatch later = new CountDownLatch(1);
      Loader<String> loader =
          dataset
              .loader()
              .map(
                  3,
                  MapOrder.ORDERED,
                  sample -> {
                    if (sample.key().equals(keys.get(0))) {
                      later.await();
                    }
                    if (sample.key().equals(keys.get(4))) {
                      later.countDown();
                    }
                    return sample.key();
                  });

      assertThat(all(loader)).isEqualTo(keys);
      assertThat(loader.count()).hasValue(SAMPLES);
      assertThat(threads()).isEmpty();
    }
  }

  @Test
  void checkpointOfAnUnorderedMapHoldsWhatCameBeforeItsTurn() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      List<String> keys = Shards.keys(dataset, 0);
      CountDownLatch resumed = new CountDownLatch(1);
      Loader<String> loader =
          dataset
              .loader()
              .map(
                  2,
                  MapOrder.UNORDERED,
                  sample -> {
                    if (sample.key().equals(keys.get(2))) {
                      resumed.await();
                    }
                    return sample.key();
                  });
      List<String> received;
      Checkpoint checkpoint;
      try (ResumableIterator<String> values = loader.iterate()) {
        received = take(values, 40);
        checkpoint = Checkpoint.parse(values.checkpoint().toJson());
        assertThat(received).doesNotContain(keys.get(2));
        assertThat(checkpoint.toJson()).contains("\"delivered\":2,\"beyond\":[3,41]");
        resumed.countDown();
      }
      try (ResumableIterator<String> rest = loader.resume(checkpoint)) {
        received.addAll(take(rest, Long.MAX_VALUE));
      }

      assertThat(received).containsExactlyInAnyOrderElementsOf(keys);
    }
  }

  @ParameterizedTest
  @CsvSource({"DROP,13,16", "PAD,14,16", "KEEP,14,2"})
  void lastBatchIsAsItIsSaidToBe(LastBatch last, int batches, int lastSize) throws IOException {
    try (ShardDataset dataset = builder().build()) {
      Loader<List<String>> loader =
          dataset.loader().map(1, MapOrder.ORDERED, Sample::key).batch(16, last, List::copyOf);

      List<List<String>> values = all(loader);

      assertThat(values).hasSize(batches);
      assertThat(loader.count()).hasValue(batches);
      assertThat(values.subList(0, 13)).allSatisfy(batch -> assertThat(batch).hasSize(16));
      assertThat(values.get(batches - 1)).hasSize(lastSize);
      assertThat(values.stream().flatMap(List::stream).distinct())
          .hasSize(last == LastBatch.DROP ? 208 : 210);
    }
  }

  @Test
  void checkpointIsBetweenBatchesWhateverWasMadeAhead() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      Loader<List<String>> loader =
          dataset
              .loader()
              .batch(8, LastBatch.KEEP, samples -> samples.stream().map(Sample::key).toList())
              .prefetch(3);
      List<List<String>> batches = all(loader);
      try (ResumableIterator<List<String>> begun = loader.iterate()) {
        assertThat(take(begun, 11)).isEqualTo(batches.subList(0, 11));
        assertThat(begun.checkpoint().remaining()).isEqualTo(SAMPLES - 88);
        try (ResumableIterator<List<String>> rest = loader.resume(begun.checkpoint())) {
          assertThat(take(rest, Long.MAX_VALUE)).isEqualTo(batches.subList(11, batches.size()));
        }
      }
    }
  }

  private static Loader<List<String>> loader(ShardDataset dataset, Random random) {
    MapOrder order = random.nextBoolean() ? MapOrder.ORDERED : MapOrder.UNORDERED;
    return dataset
        .loader()
        .filter(LoaderTest::isEven)
        .map(1 + random.nextInt(3), order, Sample::key)
        .batch(1 + random.nextInt(9), LastBatch.KEEP, List::copyOf)
        .prefetch(1 + random.nextInt(3));
  }

  @Test
  void whateverIsMadeOfThemEachSampleIsConsumedOnce() throws IOException {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      List<String> consumed = new ArrayList<>();
      Checkpoint checkpoint;
      try (ShardDataset dataset = builder().seed(seed).build();
          ResumableIterator<List<String>> batches = loader(dataset, random).iterate(2)) {
        take(batches, random.nextInt(10)).forEach(consumed::addAll);
        checkpoint = batches.checkpoint();
      }
      for (int lives = 2; lives >= 0; lives--) {
        int ranks = lives == 0 ? 1 : 1 + random.nextInt(3);
        List<Checkpoint> parts = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
          try (ShardDataset dataset = builder().seed(seed).rank(rank, ranks).build();
              ResumableIterator<List<String>> batches =
                  loader(dataset, random).resume(checkpoint)) {
            long most = lives == 0 ? Long.MAX_VALUE : random.nextInt(10);
            take(batches, most).forEach(consumed::addAll);
            parts.add(Checkpoint.parse(batches.checkpoint().toJson()));
          }
        }
        checkpoint = Checkpoint.merge(parts);
      }

      try (ShardDataset dataset = builder().seed(seed).build()) {
        assertThat(consumed)
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(
                dataset.stream().filter(LoaderTest::isEven).map(Sample::key).toList());
      }
    }
  }

  @Test
  void failureOfAFunctionNamesTheSampleAndEndsTheThreads() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      String bad = Shards.keys(dataset, 0).get(20);
      Loader<String> loader =
          dataset
              .loader()
              .map(
                  2,
                  MapOrder.ORDERED,
                  sample -> {
                    if (sample.key().equals(bad)) {
                      throw new IOException("no picture");
                    }
                    return sample.key();
                  });
      try (ResumableIterator<String> values = loader.iterate()) {
        assertThat(take(values, 20)).hasSize(20);
        assertThatThrownBy(values::hasNext)
            .isInstanceOf(TransformException.class)
            .hasMessageContaining(bad)
            .hasMessageContaining("shard-00000")
            .hasRootCauseMessage("no picture");
        assertThat(values.checkpoint().remaining()).isEqualTo(SAMPLES - 20);
        assertThat(values.hasNext()).isFalse();
        assertThat(threads()).isEmpty();
      }
    }
  }

  private static String keyUnless(Set<String> bad, Sample sample) throws IOException {
    if (bad.contains(sample.key())) {
      throw new IOException("no picture");
    }
    return sample.key();
  }

  @Test
  void sampleThatAFunctionFailsOnIsSkippedIfItMayBe() throws IOException {
    try (ShardDataset whole = builder().build();
        ShardDataset dataset = builder().errors(ErrorPolicy.skip(2)).build()) {
      List<String> keys = Shards.keys(whole, 0);
      Set<String> bad = Set.of(keys.get(3), keys.get(60));
      Loader<String> loader =
          dataset.loader().map(2, MapOrder.ORDERED, sample -> keyUnless(bad, sample));
      try (ResumableIterator<String> values = loader.iterate()) {
        assertThat(take(values, 210)).hasSize(208).doesNotContainAnyElementsOf(bad);
        assertThat(values.checkpoint().remaining()).isZero();
        assertThat(values.damages())
            .extracting(Damage::member)
            .containsExactlyInAnyOrderElementsOf(bad);
        Damage damage = values.damages().get(0);
        assertThat(damage.shard().toString()).startsWith(FOLDER + "/shard-00000");
        assertThat(damage.offset()).isPositive();
        assertThat(damage.samples()).isEqualTo(1);
      }
    }
  }

  @Test
  void functionThatLeavesItsThreadInterruptedEndsNothing() throws IOException {
    try (ShardDataset dataset = builder().errors(ErrorPolicy.skip(SAMPLES)).build()) {
      List<String> keys = Shards.keys(dataset, 0);
      Loader<String> loader =
          dataset
              .loader()
              .map(
                  1,
                  MapOrder.ORDERED,
                  sample -> {
                    Thread.currentThread().interrupt();
                    if (isEven(sample)) {
                      throw new ClosedByInterruptException();
                    }
                    return sample.key();
                  });

      assertThat(all(loader))
          .containsExactlyElementsOf(keys.stream().filter(key -> key.hashCode() % 2 != 0).toList());
    }
    assertThat(threads()).isEmpty();
  }

  @Test
  void moreFailuresThanMayBeSkippedEndTheEpoch() throws IOException {
    try (ShardDataset dataset = builder().errors(ErrorPolicy.skip(2)).build();
        ResumableIterator<String> values =
            dataset
                .loader()
                .<String>map(
                    1,
                    MapOrder.ORDERED,
                    sample -> {
                      throw new IOException("no picture");
                    })
                .iterate()) {
      assertThatThrownBy(values::hasNext)
          .isInstanceOf(TransformException.class)
          .hasRootCauseMessage("no picture");
      assertThat(values.damages()).hasSize(2);
    }
  }

  @Test
  void failureToReadReachesTheConsumerBehindWhatCameBefore() throws IOException {
    storage.delete(FOLDER.child("shard-000001.tar"));
    try (ShardDataset dataset = builder().shuffle(Shuffle.NONE).build();
        ResumableIterator<String> values =
            dataset.loader().map(2, MapOrder.ORDERED, Sample::key).prefetch(2).iterate()) {
      assertThat(take(values, 70)).hasSize(70);
      assertThatThrownBy(values::hasNext)
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("shard-000001.tar");
    }
  }

  @Test
  void closeEndsFunctionsThatWait() throws IOException, InterruptedException {
    CountDownLatch waiting = new CountDownLatch(2);
    try (ShardDataset dataset = builder().build()) {
      ResumableIterator<String> values =
          dataset
              .loader()
              .map(
                  2,
                  MapOrder.UNORDERED,
                  sample -> {
                    waiting.countDown();
                    new CountDownLatch(1).await();
                    return sample.key();
                  })
              .iterate();
      waiting.await();
      Thread closer = new Thread(values::close);
      closer.start();
      assertThatThrownBy(values::hasNext).hasMessageContaining("closed");
      closer.join();
      assertThat(threads()).isEmpty();
    }
  }

  @Test
  void sampleThatAPredicateFailsOnIsNamedOrSkipped() throws IOException {
    try (ShardDataset strict = builder().build();
        ShardDataset tolerant = builder().errors(ErrorPolicy.skip(1)).build()) {
      String bad = Shards.keys(strict, 0).get(20);
      Predicate<Sample> failing =
          sample -> {
            if (sample.key().equals(bad)) {
              throw new IllegalArgumentException("no label");
            }
            return true;
          };
      try (ResumableIterator<Sample> samples = strict.loader().filter(failing).iterate()) {
        assertThat(take(samples, 20)).hasSize(20);
        assertThatThrownBy(samples::hasNext)
            .isInstanceOf(TransformException.class)
            .hasMessageContaining(bad)
            .hasRootCauseMessage("no label");
      }
      try (ResumableIterator<Sample> samples = tolerant.loader().filter(failing).iterate()) {
        assertThat(take(samples, 300)).hasSize(SAMPLES - 1);
        assertThat(samples.damages()).singleElement().extracting(Damage::member).isEqualTo(bad);
        assertThat(samples.checkpoint().remaining()).isZero();
      }
    }
  }

  @Test
  @SuppressWarnings("NullAway")
  void functionThatReturnsNothingIsAFailureAndNoFilter() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      Loader<String> mapped = dataset.loader().map(1, MapOrder.ORDERED, sample -> null);
      Loader<String> batched = dataset.loader().batch(3, LastBatch.KEEP, samples -> null);
      for (Loader<String> loader : List.of(mapped, batched)) {
        assertThatThrownBy(() -> all(loader))
            .isInstanceOf(TransformException.class)
            .hasRootCauseMessage("the function returned null");
      }
    }
  }

  @Test
  void whatIsFilteredOutBeforeABatchCountsWithIt() throws IOException {
    try (ShardDataset dataset = builder().shuffle(Shuffle.NONE).build()) {
      Loader<Integer> none =
          dataset.loader().filter(sample -> false).batch(8, LastBatch.DROP, List::size);
      try (ResumableIterator<Integer> batches = none.iterate()) {
        assertThat(batches.hasNext()).isFalse();
        assertThat(batches.checkpoint().remaining()).isZero();
      }
      Loader<List<String>> third =
          dataset
              .loader()
              .filter(sample -> sample.key().endsWith("0"))
              .batch(2, LastBatch.DROP, samples -> samples.stream().map(Sample::key).toList());
      try (ResumableIterator<List<String>> batches = third.iterate()) {
        assertThat(batches.next()).containsExactly("0/000000", "0/000010");
        assertThat(batches.checkpoint().remaining()).isEqualTo(SAMPLES - 11);
        assertThat(take(batches, 100)).hasSize(9);
        assertThat(batches.checkpoint().remaining()).isOne();
      }
    }
  }

  @Test
  void settingsThatCannotBeAreRefused() throws IOException {
    try (ShardDataset dataset = builder().build()) {
      Loader<Sample> loader = dataset.loader();
      assertThatThrownBy(() -> loader.map(0, MapOrder.ORDERED, Sample::key))
          .hasMessageContaining("0 threads");
      assertThatThrownBy(() -> loader.batch(0, LastBatch.KEEP, List::size))
          .hasMessageContaining("batches of 0");
      assertThatThrownBy(() -> loader.prefetch(0)).hasMessageContaining("0 values ahead");
    }
  }
}
