package dev.tarn.client;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.ForwardingStorage;
import dev.tarn.client.storage.LocalStorage;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.fixtures.TestJvm;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read ahead keeps no sample back that is there, and no more memory than it may. */
@Timeout(60)
final class ReadAheadTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://data/set");
  private static final int SAMPLES = 5;
  private static final int BUDGET = 1 << 20;

  @TempDir Path directory;

  private final MemoryStorage memory = new MemoryStorage();
  private final CountDownLatch released = new CountDownLatch(1);

  /** Keeps a shard's bytes back, from an offset on. */
  private final class Late extends ForwardingStorage {
    private final String shard;
    private final long from;

    Late(String shard, long from) {
      super(memory);
      this.shard = shard;
      this.from = from;
    }

    @Override
    public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
        throws IOException {
      if (url.name().startsWith(shard) && !url.name().endsWith("idx") && offset >= from) {
        try {
          released.await();
        } catch (InterruptedException e) {
          throw new InterruptedIOException("interrupted");
        }
      }
      return super.open(url, offset, end, etag);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void samplesThatAreThereDoNotWaitForBytesThatAreNot(boolean isCompressed) throws IOException {
    if (isCompressed) {
      Shards.gzipDataset(memory, FOLDER, 2, SAMPLES, 1_000, 2);
    } else {
      Shards.dataset(memory, FOLDER, 2, SAMPLES, 1_000);
    }
    try (ShardDataset dataset =
            ShardDataset.builder()
                .storage(new Late("shard-000001.tar", 0))
                .manifest(FOLDER.toString())
                .build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(Shards.take(samples, SAMPLES)).isEqualTo(SAMPLES);
      released.countDown();
      assertThat(Shards.take(samples, Integer.MAX_VALUE)).isEqualTo(SAMPLES);
    }
  }

  @Test
  void samplesBeforeThePartOfACompressedShardThatIsLateDoNotWaitForIt() throws IOException {
    Shards.gzipDataset(
        memory, FOLDER, 1, 200, (shard, random) -> random(random, 4_000), 200, (index, tar) -> {});
    try (ShardDataset dataset =
            ShardDataset.builder()
                .storage(new Late("shard-000000.tar", 1))
                .manifest(FOLDER.toString())
                .build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(Shards.take(samples, 20)).isEqualTo(20);
      released.countDown();
      assertThat(Shards.take(samples, Integer.MAX_VALUE)).isEqualTo(180);
    }
  }

  private static byte[] random(Random random, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  @Test
  void samplesBeforeAFailureComeFirst() throws IOException {
    Shards.dataset(memory, FOLDER, 2, SAMPLES, 1_000);
    memory.delete(FOLDER.resolve("shard-000001.tar"));
    try (ShardDataset dataset =
            ShardDataset.builder().storage(memory).manifest(FOLDER.toString()).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThat(Shards.take(samples, SAMPLES)).isEqualTo(SAMPLES);
      assertThatThrownBy(samples::hasNext)
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("shard-000001.tar");
      assertThat(samples.hasNext()).isFalse();
    }
  }

  @Test
  void epochsOfFilesTakeTheMemoryOfThoseBefore() throws IOException {
    StorageUrl folder = StorageUrl.parse(directory.toString());
    Shards.dataset(new LocalStorage(), folder, 4, 40, 30_000);
    long first = 0;
    for (int epoch = 0; epoch < 100; epoch++) {
      try (ShardDataset dataset =
              ShardDataset.builder().memoryBudget(BUDGET).manifest(directory.toString()).build();
          SampleIterator samples = dataset.iterate(epoch)) {
        assertThat(Shards.take(samples, epoch % 3 == 0 ? 3 : Integer.MAX_VALUE)).isPositive();
      }
      if (epoch == 1) {
        first = directBytes();
      }
    }
    assertThat(directBytes() - first).isLessThan(16 * BUDGET);
  }

  @Test
  void shardsSomewhatShorterThanAPartStayWithinTheBudget() throws IOException {
    StorageUrl folder = StorageUrl.parse(directory.toString());
    int[] counts = new int[60];
    Arrays.fill(counts, 1);
    Shards.dataset(new LocalStorage(), folder, 0, counts, (sample, random) -> new byte[40_000]);
    int read = 0;
    try (ShardDataset dataset =
            ShardDataset.builder().memoryBudget(BUDGET).manifest(directory.toString()).build();
        OpenEpoch.Samples samples = dataset.open(0).iterator()) {
      while (samples.hasNext()) {
        samples.next();
        read++;
        assertThat(samples.usedBytes()).isLessThanOrEqualTo(BUDGET);
      }
    }
    assertThat(read).isEqualTo(counts.length);
  }

  /** Reads an epoch of the dataset that is named, where there is hardly any memory but the heap. */
  static final class Reader {
    private Reader() {}

    public static void main(String[] arguments) throws IOException {
      try (ShardDataset dataset =
          ShardDataset.builder().memoryBudget(16 * BUDGET).manifest(arguments[0]).build()) {
        System.out.print(Shards.keys(dataset, 0).size());
      }
    }
  }

  @Test
  void heapTakesThePlaceOfMemoryOutOfIt() throws IOException {
    StorageUrl folder = StorageUrl.parse(directory.toString());
    Shards.dataset(new LocalStorage(), folder, 2, 300, 30_000);
    List<String> command = TestJvm.command(Reader.class.getName(), "-XX:MaxDirectMemorySize=3m");
    command.add(directory.toString());
    Process reader = TestJvm.start(new ProcessBuilder(command));
    assertThat(new String(reader.getInputStream().readAllBytes(), US_ASCII)).isEqualTo("600");
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }
}
