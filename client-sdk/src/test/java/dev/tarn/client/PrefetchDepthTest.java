package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.metrics.EpochMetrics;
import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How far ahead of its consumer an epoch is fetched. */
final class PrefetchDepthTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SHARDS = 6;
  private static final int SAMPLES = 5;

  private final MemoryStorage memory = new MemoryStorage();

  /** The sample that the consumer asks for, through all shards. */
  private volatile int asked;

  private final List<String> early = new CopyOnWriteArrayList<>();
  private final CountDownLatch[] opened = new CountDownLatch[SHARDS];

  /** Notes what is asked for before its turn. */
  private final class Opened extends ForwardingStorage {
    private final int depth;

    Opened(int depth) {
      super(memory);
      this.depth = depth;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      String name = url.name();
      if (name.startsWith("shard-")) {
        int shard = Integer.parseInt(name.substring("shard-".length(), name.indexOf('.')));
        if (shard > asked / SAMPLES + depth) {
          early.add(name + " at sample " + asked);
        }
        if (name.endsWith(".tar")) {
          opened[shard].countDown();
        }
      }
      return super.open(url, offset, end, etag);
    }
  }

  private DatasetBuilder dataset(int depth) throws IOException {
    Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 1_000);
    for (int i = 0; i < SHARDS; i++) {
      opened[i] = new CountDownLatch(1);
    }
    return ShardDataset.builder().storage(new Opened(depth)).prefetchDepth(depth).rank(0, 1);
  }

  private int readAll(SampleIterator samples) {
    int read = 0;
    for (asked = 0; samples.hasNext(); asked = read) {
      samples.next();
      read++;
    }
    return read;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, SHARDS})
  void noShardIsAskedForFartherAheadThanTheDepth(int depth) throws Exception {
    try (ShardDataset dataset = dataset(depth).manifest(FOLDER.toString()).build();
        SampleIterator samples = dataset.iterate(0)) {
      for (int shard = 0; shard <= Math.min(depth, SHARDS - 1); shard++) {
        assertThat(opened[shard].await(10, TimeUnit.SECONDS)).as("shard %d", shard).isTrue();
      }
      assertThat(readAll(samples)).isEqualTo(SHARDS * SAMPLES);
    }
    assertThat(early).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2})
  void depthCountsShardsOfWhichNothingIsKnownToo(int depth) throws IOException {
    String spec = FOLDER + "/shard-{000000..000005}.tar";
    try (ShardDataset dataset = dataset(depth).shards(spec).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(readAll(samples)).isEqualTo(SHARDS * SAMPLES);
    }
    assertThat(early).isEmpty();
  }

  @Test
  void shardsThatAreSkippedAreNotWaitedFor() throws IOException {
    DatasetBuilder builder = dataset(0).manifest(FOLDER.toString());
    memory.delete(FOLDER.resolve("shard-000000.tar"));
    memory.delete(FOLDER.resolve("shard-000003.tar.tarnidx"));
    memory.delete(FOLDER.resolve("shard-000005.tar"));
    try (ShardDataset dataset = builder.errors(ErrorPolicy.skip(100)).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(readAll(samples)).isEqualTo((SHARDS - 3) * SAMPLES);
      assertThat(samples.damages()).hasSize(3);
    }
  }

  @Test
  void shuffledBlocksAndSingleSamplesComeWholeAtAnyDepth() throws IOException {
    for (Shuffle shuffle : List.of(Shuffle.SHARDS, Shuffle.blocks(20_000), Shuffle.FULL)) {
      for (int depth : new int[] {0, 1, 2}) {
        try (ShardDataset dataset =
                dataset(depth).manifest(FOLDER.toString()).shuffle(shuffle).build();
            ShardDataset other =
                dataset(SHARDS).manifest(FOLDER.toString()).shuffle(shuffle).build()) {
          assertThat(Shards.keys(dataset, 1))
              .isEqualTo(Shards.keys(other, 1))
              .hasSize(SHARDS * SAMPLES);
        }
      }
    }
  }

  private static Shuffle shuffle(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Shuffle.NONE;
      case 1 -> Shuffle.SHARDS;
      case 2 -> Shuffle.FULL;
      default -> Shuffle.blocks(1 + random.nextInt(60_000));
    };
  }

  private static List<String> keysThatCanBeRead(ShardDataset dataset, long epoch) {
    List<String> keys = new ArrayList<>();
    try (SampleIterator samples = dataset.iterate(epoch)) {
      samples.forEachRemaining(sample -> keys.add(sample.key()));
    }
    return keys;
  }

  /** Small budgets, lost shards and indexes, ranks: whatever there is, nobody waits for ever. */
  @Test
  @Timeout(300)
  void everyEpochEndsAtEveryDepth() throws IOException {
    for (int seed = 0; seed < 150; seed++) {
      Random random = new Random(seed);
      Shards.dataset(memory, FOLDER, SHARDS, 20, 20_000);
      for (int lost = random.nextInt(3); lost > 0; lost--) {
        String index = random.nextBoolean() ? ".tarnidx" : "";
        memory.delete(FOLDER.resolve("shard-00000%d.tar%s".formatted(random.nextInt(6), index)));
      }
      int ranks = 1 + random.nextInt(3);
      DatasetBuilder builder =
          ShardDataset.builder()
              .storage(memory)
              .manifest(FOLDER.toString())
              .rank(random.nextInt(ranks), ranks)
              .shuffle(shuffle(random))
              .seed(seed)
              .errors(ErrorPolicy.skip(1_000))
              .memoryBudget(262_144 + random.nextInt(1 << 20));
      try (ShardDataset unbounded = builder.build();
          ShardDataset dataset =
              builder.prefetchDepth(random.nextInt(4)).connections(1 + random.nextInt(6)).build()) {
        assertThat(keysThatCanBeRead(dataset, 1))
            .as("seed %d", seed)
            .isEqualTo(keysThatCanBeRead(unbounded, 1));
        try (SampleIterator begun = dataset.iterate(2)) {
          for (int i = random.nextInt(40); i > 0 && begun.hasNext(); i--) {
            begun.next();
          }
        }
      }
    }
  }

  @Test
  void depthBelowNothingIsRefused() {
    assertThatThrownBy(() -> dataset(-1).manifest(FOLDER.toString()).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a prefetch depth of -1 shards, expected 0 or more");
  }

  @Test
  void partsOfFewBytesAreNotFetchedAheadWithoutBound() throws IOException {
    int samples = 10_000;
    Shards.dataset(memory, FOLDER, 1, samples, 0);
    AtomicReference<EpochMetrics> metrics = new AtomicReference<>();
    EpochListener listener =
        new EpochListener() {
          @Override
          public void begun(EpochMetrics epoch) {
            metrics.set(epoch);
          }
        };
    try (ShardDataset dataset =
            ShardDataset.builder()
                .storage(memory)
                .manifest(FOLDER.toString())
                .rank(0, 1)
                .shuffle(Shuffle.FULL)
                .listener(listener)
                .build();
        SampleIterator all = dataset.iterate(0)) {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (metrics.get().queuedParts() < 4096 && System.nanoTime() < deadline) {
        Thread.onSpinWait();
      }
      int read = 0;
      int most = metrics.get().queuedParts();
      for (; all.hasNext(); read++) {
        all.next();
        most = Math.max(most, metrics.get().queuedParts());
      }
      assertThat(read).isEqualTo(samples);
      assertThat(most).isBetween(4000, 4096);
    }
  }
}
