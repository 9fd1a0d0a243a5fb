package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Shards that nobody wrote a manifest or an index for. */
final class KeptIndexesTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");
  private static final int SAMPLES = 40;

  private final MemoryStorage storage = new MemoryStorage();

  @TempDir Path directory;

  private Path cache() {
    return directory.resolve("cache");
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream target = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(target)) {
      gzip.write(bytes);
    }
    return target.toByteArray();
  }

  /** A plain one, one of a single gzip member, one of two. */
  private void putShards() throws IOException {
    put(0, Shards.tar(0, SAMPLES, 3000));
    put(1, gzip(Shards.tar(1, SAMPLES, 3000)));
    byte[] tar = Shards.tar(2, SAMPLES, 3000);
    ByteArrayOutputStream members = new ByteArrayOutputStream();
    members.writeBytes(gzip(Arrays.copyOf(tar, 20_000)));
    members.writeBytes(gzip(Arrays.copyOfRange(tar, 20_000, tar.length)));
    put(2, members.toByteArray());
  }

  private void put(int number, byte[] shard) throws IOException {
    storage.write(FOLDER.child("%d.tar".formatted(number)), ByteBuffer.wrap(shard));
  }

  private DatasetBuilder dataset() {
    return ShardDataset.builder().storage(storage).shards(FOLDER + "/{0..2}.tar").cache(cache());
  }

  private static List<String> take(SampleIterator samples, long count) {
    List<String> keys = new ArrayList<>();
    while (keys.size() < count && samples.hasNext()) {
      keys.add(samples.next().key());
    }
    return keys;
  }

  private List<Path> kept() throws IOException {
    try (Stream<Path> files = Files.list(cache().resolve("indexes"))) {
      return files.sorted().toList();
    }
  }

  @Test
  void samplesAreCountedAndHadByNumberAndKey() throws IOException {
    putShards();
    try (ShardDataset dataset = dataset().build()) {
      assertThat(dataset.sampleCount()).hasValue(3L * SAMPLES);
      for (int number = 0; number < 3 * SAMPLES; number++) {
        String key = Shards.key(number / SAMPLES, number % SAMPLES);
        assertThat(dataset.get(number).key()).isEqualTo(key);
        assertThat(dataset.get(key).bytes("txt")).asString().isEqualTo(key);
      }
    }
  }

  @Test
  void checkpointsRanksAndFullShufflesGo() throws IOException {
    putShards();
    List<String> consumed = new ArrayList<>();
    Checkpoint checkpoint;
    try (ShardDataset dataset = dataset().shuffle(Shuffle.FULL).rank(0, 1).build();
        SampleIterator samples = dataset.iterate(3)) {
      consumed.addAll(take(samples, 50));
      checkpoint = samples.checkpoint();
    }
    for (int rank = 0; rank < 2; rank++) {
      try (ShardDataset dataset = dataset().shuffle(Shuffle.FULL).rank(rank, 2).build();
          SampleIterator samples = dataset.resume(checkpoint)) {
        consumed.addAll(take(samples, Long.MAX_VALUE));
      }
    }
    assertThat(consumed).doesNotHaveDuplicates().hasSize(3 * SAMPLES);
  }

  @Test
  void shardsAreReadOnceForTheirIndexesAndNothingIsWrittenBesideThem() throws IOException {
    try (FaultyServer server = new FaultyServer()) {
      server.put("/d/0.tar", Shards.tar(0, SAMPLES, 3000));
      for (int round = 0; round < 2; round++) {
        try (ShardDataset dataset =
            ShardDataset.builder().shards(server.url("/d/0.tar")).cache(cache()).build()) {
          assertThat(dataset.sampleCount()).hasValue(SAMPLES);
        }
      }
      assertThat(server.requests())
          .containsExactly("HEAD /d/0.tar null", "GET /d/0.tar null", "HEAD /d/0.tar null");
    }
    assertThat(kept()).hasSize(1).allMatch(file -> file.toString().endsWith(".tarnidx"));
  }

  @Test
  void threadsThatBuildTheSameDatasetMakeEachIndexOnce() throws Exception {
    try (FaultyServer server = new FaultyServer()) {
      for (int i = 0; i < 4; i++) {
        server.put("/d/%d.tar".formatted(i), Shards.tar(i, SAMPLES, 3000));
      }
      ExecutorService ranks = Executors.newFixedThreadPool(4);
      try {
        List<Future<Long>> counts = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
          counts.add(
              ranks.submit(() -> {
                try (ShardDataset dataset =
                    ShardDataset.builder()
                        .shards(server.url("/d/{0..3}.tar"))
                        .cache(cache())
                        .build()) {
                  return dataset.sampleCount().orElseThrow();
                }
              }));
        }
        for (Future<Long> count : counts) {
          assertThat(count.get()).isEqualTo(4L * SAMPLES);
        }
      } finally {
        ranks.shutdownNow();
      }
      assertThat(server.requests().stream().filter(request -> request.startsWith("GET")))
          .hasSize(4);
    }
    assertThat(kept()).hasSize(4);
  }

  @Test
  void datasetIsTheSameWhereverItsShardsAre() throws IOException {
    putShards();
    Checkpoint checkpoint;
    try (ShardDataset dataset = dataset().build();
        SampleIterator samples = dataset.iterate(0)) {
      take(samples, 10);
      checkpoint = samples.checkpoint();
    }
    for (StoredObject object : storage.list(FOLDER).toList()) {
      byte[] shard = storage.readAll(object.url(), 1 << 20);
      Files.write(directory.resolve(object.url().nameUnder(FOLDER)), shard);
    }
    try (ShardDataset moved =
            ShardDataset.builder().shards(directory + "/{0..2}.tar").cache(cache()).build();
        SampleIterator samples = moved.resume(checkpoint)) {
      assertThat(take(samples, 1)).containsExactly("0/000010");
    }
  }

  @Test
  void replacedShardGetsAnIndexOfItsOwn() throws IOException {
    putShards();
    Checkpoint checkpoint;
    try (ShardDataset dataset = dataset().build();
        SampleIterator samples = dataset.iterate(0)) {
      checkpoint = samples.checkpoint();
    }
    put(1, Shards.tar(1, SAMPLES + 1, 3000));
    try (ShardDataset dataset = dataset().build()) {
      assertThat(dataset.sampleCount()).hasValue(3L * SAMPLES + 1);
      assertThatThrownBy(() -> dataset.resume(checkpoint))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shardReplacedAfterTheDatasetWasBuiltIsAnErrorAndNoMix() throws IOException {
    putShards();
    try (ShardDataset dataset = dataset().verify(false).build()) {
      byte[] other = storage.readAll(FOLDER.child("0.tar"), 1 << 20);
      other[512] ^= 1;
      put(0, other);
      assertThatThrownBy(() -> dataset.get(0))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("expected");
      try (SampleIterator samples = dataset.iterate(0)) {
        assertThatThrownBy(samples::hasNext)
            .isInstanceOfSatisfying(
                DatasetException.class,
                e ->
                    assertThat(e.getCause())
                        .isInstanceOfSatisfying(
                            StorageException.class,
                            cause ->
                                assertThat(cause.kind()).isEqualTo(StorageException.Kind.CHANGED)));
      }
    }
  }

  @Test
  void damagedIndexIsMadeAnew() throws IOException {
    putShards();
    dataset().build().close();
    for (Path file : kept()) {
      byte[] index = Files.readAllBytes(file);
      index[index.length - 1] ^= 1;
      Files.write(file, index);
    }
    try (ShardDataset dataset = dataset().build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(3 * SAMPLES);
    }
  }

  @Test
  void folderThatHoldsOthersFilesIsLeftAlone() throws IOException {
    putShards();
    Files.createDirectories(cache());
    Path mine = Files.writeString(cache().resolve("thesis.txt"), "years of work");
    assertThatThrownBy(() -> dataset().build())
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining(cache() + ": holds files that do not belong to a cache of this SDK");
    assertThat(mine).hasContent("years of work");
    assertThat(cache().resolve("indexes")).doesNotExist();
  }

  @Test
  void shardOfAServerWithoutEtagsIsRefusedWithTheReason() throws IOException {
    try (FaultyServer server = new FaultyServer()) {
      server.put("/d/0.tar", Shards.tar(0, SAMPLES, 3000));
      server.withoutEtags();
      assertThatThrownBy(
              () -> ShardDataset.builder().shards(server.url("/d/0.tar")).cache(cache()).build())
          .isInstanceOf(StorageException.class)
          .hasMessageContaining("it has no ETag");
    }
  }

  @Test
  void withoutACacheTheReasonIsSaid() throws IOException {
    putShards();
    DatasetBuilder builder = ShardDataset.builder().storage(storage).shards(FOLDER + "/{0..2}.tar");
    assertThatThrownBy(() -> builder.rank(0, 2).build())
        .hasMessageContaining("2 ranks: a dataset without a manifest has no sample numbers");
    try (ShardDataset dataset = builder.rank(0, 1).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(samples::checkpoint).hasMessageContaining("without a manifest");
      assertThatThrownBy(() -> dataset.get("0/000000")).hasMessageContaining("name a cache");
    }
  }

  @Test
  void shardThatIsNoneIsNamed() throws IOException {
    putShards();
    put(1, new byte[700]);
    assertThatThrownBy(() -> dataset().build())
        .isInstanceOf(IOException.class)
        .isNotInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("/1.tar");
    // The lock of a task that was interrupted may stay: empty, and anybody's to take.
    assertThat(kept())
        .filteredOn(file -> !file.toString().endsWith(".lock"))
        .allMatch(file -> file.toString().endsWith(".tarnidx"));
  }

  @Test
  @Timeout(60)
  void failureIsToldBeforeOtherShardsAreRead() throws IOException {
    putShards();
    put(1, new byte[700]);
    WatchedStorage silent = new WatchedStorage(storage);
    silent.beforeRequest(
        FOLDER.child("0.tar"),
        1,
        () -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            throw (IOException) new InterruptedIOException("given up").initCause(e);
          }
        });
    assertThatThrownBy(() -> dataset().storage(silent).connections(2).build())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/1.tar");
  }
}
