package dev.tarn.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.internal.stage.Batching;
import dev.tarn.client.internal.stage.Filtering;
import dev.tarn.client.internal.stage.Parallel;
import dev.tarn.client.loader.LastBatch;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.ShardWriter;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What samples hold on their way to the consumer: within the budget, and as long as it is said. */
final class LoaderMemoryTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final long BUDGET = 1 << 20;

  private final MemoryStorage storage = new MemoryStorage();

  private ShardDataset dataset(int samples, int sizeMax, Shuffle shuffle) throws IOException {
    Shards.dataset(storage, FOLDER, 3, samples, sizeMax);
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .rank(0, 1)
        .seed(3)
        .shuffle(shuffle)
        .memoryBudget(BUDGET)
        .build();
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tarn-"))
        .toList();
  }

  private static long crc(Sample sample) {
    CRC32C crc = new CRC32C();
    crc.update(sample.get("bin"));
    return crc.getValue();
  }

  /** The dataset is many times the budget: what is given back too early is written over. */
  @ParameterizedTest
  @EnumSource
  void viewsStayWhileThreadsWorkOnThemWithinTheBudget(MapOrder order) throws IOException {
    try (ShardDataset dataset = dataset(300, 20_000, Shuffle.blocks(50_000))) {
      Map<String, Long> expected = new HashMap<>();
      try (SampleIterator samples = dataset.iterate()) {
        samples.forEachRemaining(sample -> expected.put(sample.key(), crc(sample)));
      }
      OpenEpoch epoch = dataset.open();
      AtomicLong most = new AtomicLong();
      Map<String, Long> found = new HashMap<>();
      try (ResumableIterator<Map.Entry<String, Long>> values =
          epoch.through((samples, settings) ->
              Parallel.map(
                  samples,
                  4,
                  order == MapOrder.ORDERED,
                  settings,
                  sample -> {
                    long first = crc(sample);
                    most.accumulateAndGet(epoch.samples().usedBytes(), Math::max);
                    return Map.entry(sample.key(), first == crc(sample) ? first : -1L);
                  }))) {
        values.forEachRemaining(value -> found.put(value.getKey(), value.getValue()));
      }

      assertThat(found).isEqualTo(expected);
      assertThat(most.get()).isPositive().isLessThanOrEqualTo(BUDGET);
    }
  }

  @Test
  void batchOfMoreSamplesThanTheBudgetHoldsIsRefusedAndSaysHowMany() throws IOException {
    try (ShardDataset dataset = dataset(300, 20_000, Shuffle.blocks(50_000))) {
      for (Loader<Sample> samples : List.of(dataset.loader(), dataset.loader().prefetch(5))) {
        try (ResumableIterator<Integer> batches =
            samples.batch(500, LastBatch.KEEP, List::size).iterate()) {
          assertThatThrownBy(batches::hasNext)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageMatching(
                  "a batch of 500 that begins with sample \\d/\\d+ of \\S+ at byte \\d+: its first"
                      + " \\d{2,3} samples take 1\\d{6} bytes, more than the memory budget of"
                      + " 1048576; set smaller batches or a larger budget, or map samples to"
                      + " smaller values before batching");
          assertThat(batches.checkpoint().remaining()).isEqualTo(900);
        }
        assertThat(threads()).isEmpty();
      }
      assertThat(dataset.loader().batch(75, LastBatch.KEEP, List::size).stream())
          .containsOnly(75)
          .hasSize(12);
    }
  }

  /** A sample of a byte takes as much as its header and its padding, too. */
  @Test
  void batchOfTinySamplesIsHeldAgainstTheBudgetByWhatTheyTake() throws IOException {
    try (ShardDataset dataset = dataset(2_000, 2, Shuffle.NONE);
        ResumableIterator<Integer> batches =
            dataset.loader().batch(6_000, LastBatch.KEEP, List::size).iterate()) {
      assertThatThrownBy(batches::hasNext)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("more than the memory budget of 1048576");
    }
  }

  private ShardDataset anyDataset(Random random) throws IOException {
    Shuffle shuffle =
        switch (random.nextInt(4)) {
          case 0 -> Shuffle.NONE;
          case 1 -> Shuffle.SHARDS;
          case 2 -> Shuffle.FULL;
          default -> Shuffle.blocks(1 + random.nextInt((int) BUDGET / 4));
        };
    ShardDataset plain = dataset(60, 20_000, shuffle);
    if (random.nextBoolean()) {
      return plain;
    }
    plain.close();
    Shards.gzipDataset(storage, FOLDER, 3, 60, 20_000, 1 + random.nextInt(20));
    return ShardDataset.builder()
        .storage(storage)
        .manifest(FOLDER.toString())
        .rank(0, 1)
        .shuffle(shuffle)
        .memoryBudget(BUDGET)
        .prefetchDepth(random.nextInt(3))
        .build();
  }

  /** Batches that take most of the budget leave little to fetch with, but never nothing. */
  @Test
  @Timeout(300)
  void batchesNearTheBudgetComeWholeOrAreRefused() throws IOException {
    int refused = 0;
    for (int seed = 0; seed < 40; seed++) {
      Random random = new Random(seed);
      int size = 20 + random.nextInt(110);
      int oneOf = 1 + random.nextInt(3);
      try (ShardDataset dataset = anyDataset(random)) {
        Loader<Sample> samples = dataset.loader().filter(s -> s.key().hashCode() % oneOf == 0);
        long wanted = samples.map(1, MapOrder.ORDERED, Sample::key).stream().count();
        if (random.nextBoolean()) {
          samples = samples.prefetch(1 + random.nextInt(30));
        }
        try (ResumableIterator<Integer> batches =
            samples.batch(size, LastBatch.KEEP, List::size).iterate()) {
          long come = batches.stream().mapToLong(count -> count).sum();
          assertThat(come).as("seed %d", seed).isEqualTo(wanted);
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageContaining("more than the memory budget of 1048576");
          refused++;
        }
      }
    }
    assertThat(refused).isBetween(1, 30);
  }

  @ParameterizedTest
  @CsvSource({"100, 2, 32", "40000, 2, 4", "100, 1, 16", "40000, 1, 2"})
  void noMoreSamplesAreUnderWayThanIsSaid(int size, int threads, int underWay) throws Exception {
    StorageUrl folder = FOLDER.resolve("fixed");
    try (ShardWriter writer = ShardWriter.builder(folder.toString()).storage(storage).build()) {
      for (int i = 0; i < 100; i++) {
        writer.write("%03d".formatted(i), Map.of("bin", new byte[size]));
      }
      writer.commit();
    }
    CountDownLatch full = new CountDownLatch(underWay);
    AtomicLong called = new AtomicLong();
    try (ShardDataset dataset =
            ShardDataset.builder()
                .storage(storage)
                .manifest(folder.toString())
                .rank(0, 1)
                .memoryBudget(BUDGET)
                .build();
        ResumableIterator<String> keys =
            dataset
                .loader()
                .map(
                    threads,
                    MapOrder.ORDERED,
                    sample -> {
                      called.incrementAndGet();
                      full.countDown();
                      return sample.key();
                    })
                .iterate()) {
      assertThat(full.await(10, TimeUnit.SECONDS)).isTrue();
      for (int taken = 0; taken < 100; taken++) {
        assertThat(called.get()).isLessThanOrEqualTo(taken + underWay);
        keys.next();
      }
      assertThat(keys.hasNext()).isFalse();
    }
  }

  /** What is left shares memory with what is left out. */
  @ParameterizedTest
  @ValueSource(ints = {7, 40})
  void batchOfFewSamplesOutOfManyStaysWithinTheBudget(int oneOf) throws IOException {
    try (ShardDataset dataset = dataset(1_000, 4_000, Shuffle.NONE)) {
      AtomicLong most = new AtomicLong();
      AtomicLong read = new AtomicLong();
      OpenEpoch epoch = dataset.open();
      List<String> wrong = new ArrayList<>();
      try (ResumableIterator<Integer> batches =
          epoch.through((samples, settings) ->
              new Batching<>(
                  new Filtering<>(samples, settings, sample -> read.getAndIncrement() % oneOf == 0),
                  70,
                  LastBatch.KEEP,
                  settings,
                  batch -> {
                    most.accumulateAndGet(epoch.samples().usedBytes(), Math::max);
                    batch.stream()
                        .filter(sample -> !text(sample).equals(sample.key()))
                        .forEach(sample -> wrong.add(sample.key()));
                    return batch.size();
                  }))) {
        assertThat(batches.stream().mapToInt(size -> size).sum())
            .isEqualTo((3_000 + oneOf - 1) / oneOf);
      }
      assertThat(wrong).isEmpty();
      assertThat(most.get()).isPositive().isLessThanOrEqualTo(BUDGET);
    }
  }

  private static String text(Sample sample) {
    return new String(sample.bytes("txt"), UTF_8);
  }

  /** Samples that wait as values of something else keep none of the memory that they had. */
  @Test
  void mappedValuesHoldNothingOfTheirSamples() throws IOException {
    List<WeakReference<Sample>> samples = Collections.synchronizedList(new ArrayList<>());
    try (ShardDataset dataset = dataset(70, 5_000, Shuffle.NONE);
        ResumableIterator<Integer> batches =
            dataset
                .loader()
                .map(
                    1,
                    MapOrder.ORDERED,
                    sample -> {
                      samples.add(new WeakReference<>(sample));
                      return sample.key();
                    })
                .batch(
                    100,
                    LastBatch.KEEP,
                    keys -> {
                      // The samples of the last keys may be on their way still.
                      return countAfterCollection(List.copyOf(samples).subList(0, 50));
                    })
                .iterate()) {
      assertThat(batches.next()).isZero();
    }
  }

  private static int countAfterCollection(List<WeakReference<Sample>> samples) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    int left = samples.size();
    while (left > 0 && System.nanoTime() < deadline) {
      System.gc();
      left = (int) samples.stream().filter(sample -> sample.get() != null).count();
    }
    return left;
  }
}
