package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.Checkpoint.Progress;
import dev.tarn.client.internal.shards.ShardCatalog;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.client.loader.MapOrder;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.fixtures.Rounds;
import dev.tarn.shard.order.Assignment;
import dev.tarn.shard.order.Block;
import dev.tarn.shard.order.EpochBlocks;
import dev.tarn.shard.order.EpochName;
import dev.tarn.shard.order.EpochOrder;
import dev.tarn.shard.order.MixSchedule;
import dev.tarn.shard.order.Positions;
import dev.tarn.shard.order.Positions.Span;
import dev.tarn.shard.order.SampleRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/**
 * Epochs whose consumers are killed at random positions and gone on with from the last checkpoints,
 * by other numbers of ranks, again and again: what they consume together is the epoch, each
 * position once.
 */
final class ExactlyOnceTest {
  private static final int PLANS = Rounds.of(800);
  private static final int DATASETS = 24;
  private static final int READINGS = Rounds.of(120);
  private static final int SAMPLE_BYTES_MAX = 1500;

  /** One life of all ranks: they go on from a checkpoint, consume, and make new ones. */
  private interface Life {
    /**
     * @param last whether everything that is left is consumed
     * @return the ranks' checkpoints
     */
    List<Checkpoint> live(Optional<Checkpoint> from, int ranks, boolean last) throws IOException;
  }

  private static void liveAndDie(Random random, Life life) throws IOException {
    Optional<Checkpoint> checkpoint = Optional.empty();
    for (int lives = random.nextInt(4); lives >= 0; lives--) {
      int ranks = lives == 0 ? 1 : 1 + random.nextInt(5);
      List<Checkpoint> parts = new ArrayList<>();
      for (Checkpoint part : life.live(checkpoint, ranks, lives == 0)) {
        parts.add(Checkpoint.parse(part.toJson()));
      }
      checkpoint = Optional.of(Checkpoint.parse(Checkpoint.merge(parts).toJson()));
    }
    assertThat(checkpoint.orElseThrow().remaining()).isZero();
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Shuffle.NONE;
      case 1 -> Shuffle.SHARDS;
      case 2 -> Shuffle.FULL;
      default -> Shuffle.blocks(1 + random.nextInt(30_000));
    };
  }

  private static int[] counts(Random random) {
    int[] counts = random.ints(1 + random.nextInt(5), 0, 40).toArray();
    counts[0]++;
    return counts;
  }

  // --- orders, assignments and checkpoints

  private static EpochPlan plan(Random random) {
    List<ShardCatalog> datasets = new ArrayList<>();
    for (int i = random.nextInt(3); i >= 0; i--) {
      StorageUrl folder = StorageUrl.parse("memory://data/" + i);
      List<ShardSource> shards = new ArrayList<>();
      for (int count : counts(random)) {
        StorageUrl url = folder.child(shards.size() + ".tar");
        OptionalLong size = OptionalLong.of(1000L * count + 1024);
        shards.add(
            new ShardSource(url, size, OptionalLong.of(count), Optional.empty(), Optional.empty()));
      }
      datasets.add(new ShardCatalog(shards, Optional.of("d" + i)));
    }
    MixSchedule schedule =
        new MixSchedule(datasets.stream().mapToLong(ShardCatalog::samples).toArray());
    if (random.nextBoolean() && datasets.size() > 1) {
      double[] weights = random.doubles(datasets.size(), 0.01, 1).toArray();
      schedule = MixSchedule.of(weights, schedule.length());
    }
    OptionalLong limit =
        random.nextInt(4) == 0 ? OptionalLong.of(random.nextInt(100)) : OptionalLong.empty();
    Ordering ordering = new Ordering(shuffle(random), random.nextLong(), false, limit);
    return new EpochPlan(datasets, schedule, ordering, 1 + random.nextInt(50_000));
  }

  private record Sample(int shard, int number) {}

  /** The samples of some positions of an epoch. */
  private static List<Sample> samples(EpochOrder order, List<Positions> positions) {
    List<Sample> samples = new ArrayList<>();
    EpochBlocks blocks = new EpochBlocks(order, positions);
    while (blocks.hasNext()) {
      Block block = blocks.next();
      List<Sample> read = new ArrayList<>();
      for (SampleRun run : block.runs()) {
        for (int number = run.from(); number < run.to(); number++) {
          read.add(new Sample(run.shard(), number));
        }
      }
      for (int place = 0; place < block.length(); place++) {
        samples.add(read.get(block.sample(place)));
      }
    }
    return samples;
  }

  @Test
  void whateverRanksGoOnWithAPlanEachPositionIsConsumedOnce() throws IOException {
    for (int seed = 0; seed < PLANS; seed++) {
      Random random = new Random(seed);
      EpochPlan plan = plan(random);
      long epoch = random.nextInt(20);
      EpochName name = plan.name(epoch);
      EpochOrder order = plan.order(epoch);
      Positions all = Positions.below(plan.length());
      List<Sample> consumed = new ArrayList<>();
      liveAndDie(
          random,
          (from, ranks, last) -> {
            List<Checkpoint> parts = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
              Progress begun =
                  from.isEmpty()
                      ? Progress.begin(new Assignment(all, rank, ranks, false))
                      : from.orElseThrow().resume(rank, ranks, false);
              Delivery delivery = new Delivery(name, begun);
              List<Sample> rest = samples(order, delivery.positions());
              int most = last ? rest.size() : random.nextInt(rest.size() + 1);
              for (int i = 0; i < most; i++) {
                long number = delivery.numbers().get(i);
                delivery.received(new Span(number, number + 1));
                consumed.add(rest.get(i));
              }
              parts.add(delivery.checkpoint());
            }
            return parts;
          });

      assertThat(consumed)
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(samples(order, List.of(all)));
    }
  }

  // --- samples that are read

  private final MemoryStorage storage = new MemoryStorage();

  private static String folder(int dataset) {
    return "memory://data/" + dataset;
  }

  private int[][] pack() throws IOException {
    int[][] counts = new int[DATASETS][];
    for (int i = 0; i < DATASETS; i++) {
      counts[i] = counts(new Random(i));
      StorageUrl folder = StorageUrl.parse(folder(i));
      Shards.dataset(storage, folder, 100 * i, counts[i], SAMPLE_BYTES_MAX);
    }
    return counts;
  }

  private DatasetBuilder builder(long seed) {
    Random random = new Random(seed);
    DatasetBuilder builder =
        ShardDataset.builder()
            .storage(storage)
            .shuffle(shuffle(random))
            .seed(seed)
            .verify(random.nextInt(8) == 0)
            .connections(1 + random.nextInt(3))
            .memoryBudget(1 << 20);
    boolean isWeighted = random.nextBoolean();
    for (int i = random.nextInt(3); i >= 0; i--) {
      String folder = folder(random.nextInt(DATASETS));
      builder =
          isWeighted
              ? builder.manifest(folder, 0.1 + random.nextDouble())
              : builder.manifest(folder);
    }
    return builder;
  }

  private static List<String> take(SampleIterator samples, long count) {
    List<String> keys = new ArrayList<>();
    while (keys.size() < count && samples.hasNext()) {
      keys.add(samples.next().key());
    }
    return keys;
  }

  @Test
  void whateverRanksAreKilledAndGoOnEachSampleIsConsumedOnce() throws IOException {
    pack();
    for (int seed = 0; seed < READINGS; seed++) {
      long thisSeed = seed;
      Random random = new Random(seed);
      long epoch = random.nextInt(5);
      List<String> consumed = new ArrayList<>();
      liveAndDie(
          random,
          (from, ranks, last) -> {
            List<Checkpoint> parts = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
              try (ShardDataset dataset = builder(thisSeed).rank(rank, ranks).build();
                  SampleIterator samples =
                      from.isEmpty()
                          ? dataset.iterate(epoch)
                          : dataset.resume(from.orElseThrow())) {
                consumed.addAll(take(samples, last ? Long.MAX_VALUE : random.nextInt(60)));
                parts.add(samples.checkpoint());
                // What is received behind the last checkpoint is lost with the one that is killed.
                take(samples, random.nextInt(10));
              }
            }
            return parts;
          });

      try (ShardDataset dataset = builder(seed).rank(0, 1).build();
          SampleIterator samples = dataset.iterate(epoch)) {
        assertThat(consumed)
            .as("seed %d", seed)
            .containsExactlyInAnyOrderElementsOf(take(samples, Long.MAX_VALUE));
        assertThat(dataset.sampleCount()).hasValue(consumed.size());
      }
    }
  }

  /** Kills and resumes what a loader makes; the union must be what one reader has at once. */
  private void requireEachOnce(
      int seed,
      DatasetBuilder once,
      IntFunction<DatasetBuilder> builders,
      Function<ShardDataset, Loader<String>> made)
      throws IOException {
    Random random = new Random(seed);
    long epoch = random.nextInt(5);
    List<String> consumed = new ArrayList<>();
    liveAndDie(
        random,
        (from, ranks, last) -> {
          List<Checkpoint> parts = new ArrayList<>();
          for (int rank = 0; rank < ranks; rank++) {
            try (ShardDataset dataset = builders.apply(seed).rank(rank, ranks).build();
                ResumableIterator<String> keys =
                    from.isEmpty()
                        ? made.apply(dataset).iterate(epoch)
                        : made.apply(dataset).resume(from.orElseThrow())) {
              for (int i = last ? Integer.MAX_VALUE : random.nextInt(60);
                  i > 0 && keys.hasNext();
                  i--) {
                consumed.add(keys.next());
              }
              parts.add(keys.checkpoint());
            }
          }
          return parts;
        });

    try (ShardDataset dataset = once.rank(0, 1).build();
        SampleIterator samples = dataset.iterate(epoch)) {
      assertThat(consumed)
          .as("seed %d", seed)
          .containsExactlyInAnyOrderElementsOf(take(samples, Long.MAX_VALUE));
    }
  }

  @Test
  void whateverRanksAreKilledWhileThreadsMapOutOfOrderEachSampleIsConsumedOnce()
      throws IOException {
    pack();
    for (int seed = 0; seed < READINGS / 4; seed++) {
      requireEachOnce(
          seed,
          builder(seed),
          this::builder,
          dataset -> dataset.loader().map(3, MapOrder.UNORDERED, sample -> sample.key()));
    }
  }

  private DatasetBuilder resampled(long seed) {
    Random random = new Random(seed);
    Shuffle shuffle =
        random.nextBoolean() ? Shuffle.FULL : Shuffle.blocks(1 + random.nextInt(30_000));
    return builder(seed).shuffle(shuffle).resample().limit(random.nextInt(300));
  }

  @Test
  void whateverRanksAreKilledEachDrawOfAnEpochWithReplacementIsConsumedOnce() throws IOException {
    pack();
    for (int seed = 0; seed < READINGS / 4; seed++) {
      requireEachOnce(
          seed,
          resampled(seed),
          this::resampled,
          dataset -> dataset.loader().map(1, MapOrder.ORDERED, sample -> sample.key()));
    }
  }

  @Test
  void whatIsPaddedComesTwiceAndAllElseOnceWhateverRanksAreKilled() throws IOException {
    pack();
    for (int seed = 0; seed < READINGS / 4; seed++) {
      Random random = new Random(seed);
      int ranks = 1 + random.nextInt(5);
      List<String> consumed = new ArrayList<>();
      for (int rank = 0; rank < ranks; rank++) {
        try (ShardDataset dataset = builder(seed).rank(rank, ranks).uneven(Uneven.PAD).build()) {
          int before = consumed.size();
          Checkpoint checkpoint;
          try (SampleIterator samples = dataset.iterate(3)) {
            consumed.addAll(take(samples, random.nextInt(30)));
            checkpoint = samples.checkpoint();
            take(samples, random.nextInt(10));
          }
          try (SampleIterator samples = dataset.resume(checkpoint)) {
            consumed.addAll(take(samples, Long.MAX_VALUE));
          }
          assertThat(dataset.rankSampleCount()).hasValue(consumed.size() - before);
        }
      }

      try (ShardDataset dataset = builder(seed).rank(0, 1).build();
          SampleIterator samples = dataset.iterate(3)) {
        List<String> expected = take(samples, Long.MAX_VALUE);
        int length = expected.size();
        for (int i = 0; expected.size() % ranks != 0; i++) {
          expected.add(expected.get(i % length));
        }
        assertThat(consumed).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(expected);
      }
    }
  }

  @Test
  void epochOfOneDatasetHasEachOfItsSamplesOnce() throws IOException {
    int[][] counts = pack();
    for (int i = 0; i < DATASETS; i++) {
      Random random = new Random(i);
      try (ShardDataset dataset =
              ShardDataset.builder()
                  .storage(storage)
                  .manifest(folder(i))
                  .shuffle(shuffle(random))
                  .build();
          SampleIterator samples = dataset.iterate()) {
        assertThat(take(samples, Long.MAX_VALUE))
            .doesNotHaveDuplicates()
            .hasSize(Arrays.stream(counts[i]).sum());
      }
    }
  }
}
