package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Shards that are kept on disk: read over http, counted by requests. */
final class DiskCacheTest {
  private static final int ALL = CachedServer.SHARDS * CachedServer.SAMPLES;
  private static final long PLENTY = 1 << 30;

  @TempDir Path directory;

  private CachedServer served;
  private long datasetBytes;

  @BeforeEach
  void serve() throws IOException {
    served = new CachedServer(directory.resolve("cache"));
    datasetBytes = served.put("/d", 0, false);
  }

  @AfterEach
  void stop() {
    served.close();
  }

  private Path cache() {
    return directory.resolve("cache");
  }

  private DatasetBuilder dataset(long bytesMax) {
    return served.dataset("/d", bytesMax);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void secondEpochFetchesNothing(boolean compressed) throws IOException {
    served.put("/d", 0, compressed);
    try (ShardDataset dataset = dataset(PLENTY).shuffle(Shuffle.SHARDS).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      long first = served.gets();
      assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
      assertThat(served.gets()).isEqualTo(first);
    }
    long first = served.gets();
    try (ShardDataset later = dataset(PLENTY).build()) {
      assertThat(Shards.keys(later, 2)).hasSize(ALL);
    }
    assertThat(served.gets()).isEqualTo(first);
  }

  @Test
  void partsOfShardsAreKeptAsTheyAreRead() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).shuffle(Shuffle.FULL).build()) {
      for (long number : new long[] {0, 150, 399}) {
        dataset.get(number);
      }
      long first = served.gets();
      for (long number : new long[] {150, 399, 0}) {
        assertThat(dataset.get(number).size()).isPositive();
      }
      assertThat(served.gets()).isEqualTo(first);
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      long epoch = served.gets() - first;
      assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
      // Samples that come together in this order have headers between them, unread until now.
      assertThat(served.gets() - first - epoch).isLessThan(epoch / 4);
    }
  }

  @Test
  void ranksThatReadPartsFillTheCacheTogether() throws IOException {
    for (int rank = 0; rank < 3; rank++) {
      try (ShardDataset dataset = dataset(PLENTY).rank(rank, 3).build()) {
        Shards.keys(dataset, 0);
      }
    }
    long first = served.gets();
    try (ShardDataset dataset = dataset(PLENTY).rank(0, 1).build();
        SampleIterator samples = dataset.iterate(0)) {
      for (int i = 0; i < 3 * CachedServer.SAMPLES; i++) {
        samples.next();
      }
    }
    // What lies between the ranks' parts: headers, and the ends of the archives.
    assertThat(served.gets() - first).isLessThanOrEqualTo(8);
  }

  @Test
  void whatOthersHaveKeptMeanwhileIsNotFetchedAgain() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      for (int shard = 0; shard < CachedServer.SHARDS; shard++) {
        assertThat(dataset.get((long) shard * CachedServer.SAMPLES).size()).isPositive();
      }
      try (ShardDataset other = dataset(PLENTY).build()) {
        assertThat(Shards.keys(other, 0)).hasSize(ALL);
      }
      long first = served.gets();
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      assertThat(served.gets()).isEqualTo(first);
    }
  }

  @Test
  void whatTwoReadAtTheSameTimeIsKeptOnce() throws IOException {
    StorageUrl shard = StorageUrl.parse(served.server().url("/d/shard-000000.tar"));
    WatchedStorage watched = new WatchedStorage(served.storage());
    FaultyServer.Fault slow =
        (exchange, content) -> {
          exchange.sendResponseHeaders(200, content.length);
          OutputStream body = exchange.getResponseBody();
          body.write(content, 0, 1_000);
          body.flush();
          try (ShardDataset other = dataset(PLENTY).build()) {
            assertThat(Shards.keys(other, 0)).hasSize(ALL);
          }
          body.write(content, 1_000, content.length - 1_000);
          return true;
        };
    watched.beforeRequest(shard, 1, () -> served.server().failNext(slow));
    try (ShardDataset dataset = dataset(PLENTY).storage(watched).connections(1).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
    }
    assertThat(served.server().faultsLeft()).isZero();
    assertThat(served.keptBytes()).isLessThanOrEqualTo(datasetBytes);
    assertThat(served.countedBytes()).isEqualTo(served.keptBytes());
  }

  @Test
  void damagedBytesAreFetchedAgain() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).verify(false).build()) {
      Shards.keys(dataset, 0);
    }
    for (Path data : served.files(".data")) {
      try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[600]), 700);
      }
    }
    long first = served.gets();
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      assertThat(served.gets()).isGreaterThan(first);
      long again = served.gets();
      assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
      assertThat(served.gets()).isEqualTo(again);
    }
  }

  @Test
  void whatACrashLeftIsFetchedAgain() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      Shards.keys(dataset, 0);
    }
    List<Path> journals = served.files(".pieces");
    try (FileChannel channel = FileChannel.open(journals.get(0), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 5);
    }
    Path data = served.files(".data").get(1);
    try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
      channel.truncate(1000);
    }
    Files.delete(served.files(".data").get(2));
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
    }
  }

  @Test
  void replacedShardIsFetchedAnew() throws IOException {
    String spec = served.server().url("/d/shard-00000{0..3}.tar");
    DatasetBuilder builder =
        ShardDataset.builder().storage(served.storage()).shards(spec).cache(cache(), PLENTY);
    try (ShardDataset dataset = builder.build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
    }
    served.server().put("/d/shard-000001.tar", Shards.tar(7, CachedServer.SAMPLES, 5_000));
    try (ShardDataset dataset = builder.build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL).contains("7/000003");
    }
  }

  @Test
  void shardsWithoutAManifestAreFetchedOnceForIndexAndEpochs() throws IOException {
    String spec = served.server().url("/d/shard-00000{0..3}.tar");
    try (ShardDataset dataset =
        ShardDataset.builder()
            .storage(served.storage())
            .shards(spec)
            .cache(cache(), PLENTY)
            .build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
    }
    assertThat(served.gets()).isEqualTo(CachedServer.SHARDS);
  }

  @Test
  void noMoreIsKeptThanTheBoundAndWhatWasKeptStays() throws IOException {
    long bound = datasetBytes / 2;
    try (ShardDataset dataset = dataset(bound).shuffle(Shuffle.SHARDS).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      assertThat(served.keptBytes()).isBetween(bound / 2, bound);
      List<Path> kept = served.files(".pieces");
      for (int epoch = 1; epoch < 4; epoch++) {
        assertThat(Shards.keys(dataset, epoch)).hasSize(ALL);
        assertThat(served.keptBytes()).isLessThanOrEqualTo(bound);
        assertThat(served.files(".pieces")).containsAll(kept);
      }
    }
  }

  @Test
  void datasetThatNobodyHasOpenMakesRoomAndOthersDoNot() throws IOException {
    long bound = datasetBytes;
    served.put("/e", 0, false);
    List<Path> kept;
    try (ShardDataset dataset = dataset(bound).build()) {
      Shards.keys(dataset, 0);
      kept = served.files(".pieces");
      try (ShardDataset other = served.dataset("/e", bound).build()) {
        assertThat(Shards.keys(other, 0)).hasSize(ALL);
        assertThat(served.files(".pieces")).containsAll(kept);
        assertThat(served.keptBytes()).isLessThanOrEqualTo(bound);
      }
    }
    try (ShardDataset other = served.dataset("/e", bound).build()) {
      Shards.keys(other, 0);
      assertThat(served.keptBytes()).isLessThanOrEqualTo(bound);
      long first = served.gets();
      Shards.keys(other, 1);
      assertThat(served.gets() - first).isLessThan(first / 2);
    }
    assertThat(served.files(".pieces")).isNotEqualTo(kept);
  }

  @Test
  void datasetsThatReadAtTheSameTimeShareTheRoom() throws Exception {
    long bound = datasetBytes / 2;
    ExecutorService readers = Executors.newFixedThreadPool(3);
    try {
      List<Future<Integer>> counts = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        int seed = reader;
        counts.add(
            readers.submit(() -> {
              try (ShardDataset dataset =
                  dataset(bound).shuffle(Shuffle.SHARDS).seed(seed).build()) {
                return Shards.keys(dataset, 0).size() + Shards.keys(dataset, 1).size();
              }
            }));
      }
      for (Future<Integer> count : counts) {
        assertThat(count.get()).isEqualTo(2 * ALL);
      }
    } finally {
      readers.shutdownNow();
    }
    assertThat(served.keptBytes()).isBetween(1L, bound);
  }

  @Test
  void processThatIsKilledLeavesAGoodCacheAndPinsNothing() throws Exception {
    Process process = served.read("/d", datasetBytes);
    try {
      try (ShardDataset dataset = dataset(datasetBytes).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    try (ShardDataset dataset = dataset(datasetBytes).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
    }
    served.put("/e", 0, false);
    try (ShardDataset other = served.dataset("/e", datasetBytes).build()) {
      Shards.keys(other, 0);
      long first = served.gets();
      Shards.keys(other, 1);
      assertThat(served.gets() - first).isZero();
    }
    assertThat(served.keptBytes()).isLessThanOrEqualTo(datasetBytes);
  }

  @Test
  void folderThatIsMadeIsItsOwnersAloneAndOneThatIsThereStaysAsItIs() throws IOException {
    assumeTrue(Files.getFileStore(directory).supportsFileAttributeView("posix"));
    Path made = directory.resolve("a/b");
    Path there = Files.createDirectories(directory.resolve("c"));
    Files.setPosixFilePermissions(there, PosixFilePermissions.fromString("rwxrwxr-x"));
    for (Path folder : List.of(made, there)) {
      try (ShardDataset dataset = dataset(PLENTY).cache(folder, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      }
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(there)))
        .isEqualTo("rwxrwxr-x");
  }

  @Test
  void folderOfOthersIsRefusedAndUntouched() throws IOException {
    Files.createDirectories(cache());
    Path mine = Files.writeString(cache().resolve("thesis.txt"), "years of work");
    assertThatThrownBy(() -> dataset(PLENTY).build())
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("holds files that do not belong to a cache of this SDK");
    try (Stream<Path> files = Files.list(cache())) {
      assertThat(files).containsExactly(mine);
    }
  }

  @Test
  void filesOfOthersInTheFolderStayWhateverIsThrownOut() throws IOException {
    try (ShardDataset dataset = dataset(datasetBytes).build()) {
      Shards.keys(dataset, 0);
    }
    Path mine = Files.writeString(cache().resolve("notes.txt"), "mine");
    Path beside = Files.writeString(cache().resolve("objects").resolve("notes.txt"), "mine");
    served.put("/e", 0, false);
    try (ShardDataset other = served.dataset("/e", datasetBytes).build()) {
      Shards.keys(other, 0);
    }
    assertThat(mine).hasContent("mine");
    assertThat(beside).hasContent("mine");
  }

  @Test
  void shardThatIsReplacedUnderWayIsAnErrorAndNoMix() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).verify(false).build()) {
      dataset.get(0);
      byte[] other = Shards.tar(0, CachedServer.SAMPLES, 5_000);
      other[other.length - 1] ^= 1;
      served.server().put("/d/shard-000000.tar", other);
      assertThatThrownBy(() -> dataset.get(50))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("replaced");
    }
  }
}
