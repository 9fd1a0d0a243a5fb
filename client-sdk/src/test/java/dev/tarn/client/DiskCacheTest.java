package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.client.storage.remote.FaultyServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
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
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");
  private static final int SHARDS = 4;
  private static final int SAMPLES = 100;
  private static final long PLENTY = 1 << 30;

  private FaultyServer server;
  private Storage storage;
  private long datasetBytes;

  @TempDir Path directory;

  @BeforeEach
  void serve() throws IOException {
    server = new FaultyServer();
    put("/d", 5_000, false);
    RetryPolicy retries = new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(1));
    storage = Storage.open(StorageOptions.builder().retries(retries).build());
  }

  @AfterEach
  void stop() {
    storage.close();
    server.close();
  }

  private void put(String path, int sizeMax, boolean isCompressed) throws IOException {
    MemoryStorage memory = new MemoryStorage();
    if (isCompressed) {
      Shards.gzipDataset(memory, FOLDER, SHARDS, SAMPLES, sizeMax, 10);
    } else {
      Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, sizeMax);
    }
    datasetBytes = 0;
    for (StoredObject object : memory.list(FOLDER).toList()) {
      server.put(
          path + "/" + object.url().nameUnder(FOLDER), memory.readAll(object.url(), 1 << 30));
      datasetBytes += object.size();
    }
  }

  private Path cache() {
    return directory.resolve("cache");
  }

  private DatasetBuilder dataset(long bytesMax) {
    return dataset("/d", bytesMax);
  }

  private DatasetBuilder dataset(String path, long bytesMax) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(server.url(path))
        .memoryBudget(1 << 20)
        .cache(cache(), bytesMax);
  }

  /** How often something was got, but for the manifest. */
  private long gets() {
    return server.requests().stream()
        .filter(request -> request.startsWith("GET") && !request.contains("dataset.json"))
        .count();
  }

  private long keptBytes() throws IOException {
    try (Stream<Path> files = Files.list(cache().resolve("objects"))) {
      long bytes = 0;
      for (Path journal : files.filter(file -> file.toString().endsWith(".pieces")).toList()) {
        ByteBuffer records =
            ByteBuffer.wrap(Files.readAllBytes(journal)).order(ByteOrder.LITTLE_ENDIAN);
        for (int at = 0; at < records.limit(); at += 16) {
          bytes += records.getInt(at + 8);
        }
      }
      return bytes;
    }
  }

  private List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.list(cache().resolve("objects"))) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void secondEpochFetchesNothing(boolean compressed) throws IOException {
    put("/d", 5_000, compressed);
    try (ShardDataset dataset = dataset(PLENTY).shuffle(Shuffle.SHARDS).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
      long first = gets();
      assertThat(Shards.keys(dataset, 1)).hasSize(SHARDS * SAMPLES);
      assertThat(gets()).isEqualTo(first);
    }
    long first = gets();
    try (ShardDataset later = dataset(PLENTY).build()) {
      assertThat(Shards.keys(later, 2)).hasSize(SHARDS * SAMPLES);
    }
    assertThat(gets()).isEqualTo(first);
  }

  @Test
  void partsOfShardsAreKeptAsTheyAreRead() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).shuffle(Shuffle.FULL).build()) {
      for (long number : new long[] {0, 150, 399}) {
        dataset.get(number);
      }
      long first = gets();
      for (long number : new long[] {150, 399, 0}) {
        assertThat(dataset.get(number).size()).isPositive();
      }
      assertThat(gets()).isEqualTo(first);
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
      long epoch = gets() - first;
      assertThat(Shards.keys(dataset, 1)).hasSize(SHARDS * SAMPLES);
      // Samples that come together in this order have headers between them, unread until now.
      assertThat(gets() - first - epoch).isLessThan(epoch / 4);
    }
  }

  @Test
  void ranksThatReadPartsFillTheCacheTogether() throws IOException {
    for (int rank = 0; rank < 3; rank++) {
      try (ShardDataset dataset = dataset(PLENTY).rank(rank, 3).build()) {
        Shards.keys(dataset, 0);
      }
    }
    long first = gets();
    try (ShardDataset dataset = dataset(PLENTY).rank(0, 1).build();
        SampleIterator samples = dataset.iterate(0)) {
      for (int i = 0; i < 3 * SAMPLES; i++) {
        samples.next();
      }
    }
    // What lies between the ranks' parts: headers, and the ends of the archives.
    assertThat(gets() - first).isLessThanOrEqualTo(8);
  }

  @Test
  void damagedBytesAreFetchedAgain() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).verify(false).build()) {
      Shards.keys(dataset, 0);
    }
    for (Path data : files(".data")) {
      try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(new byte[600]), 700);
      }
    }
    long first = gets();
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
      assertThat(gets()).isGreaterThan(first);
      long again = gets();
      assertThat(Shards.keys(dataset, 1)).hasSize(SHARDS * SAMPLES);
      assertThat(gets()).isEqualTo(again);
    }
  }

  @Test
  void whatACrashLeftIsFetchedAgain() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      Shards.keys(dataset, 0);
    }
    List<Path> journals = files(".pieces");
    try (FileChannel channel = FileChannel.open(journals.get(0), StandardOpenOption.WRITE)) {
      channel.truncate(channel.size() - 5);
    }
    Path data = files(".data").get(1);
    try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
      channel.truncate(1000);
    }
    Files.delete(files(".data").get(2));
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    }
  }

  @Test
  void replacedShardIsFetchedAnew() throws IOException {
    String spec = server.url("/d/shard-00000{0..3}.tar");
    DatasetBuilder builder =
        ShardDataset.builder().storage(storage).shards(spec).cache(cache(), PLENTY);
    try (ShardDataset dataset = builder.build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    }
    server.put("/d/shard-000001.tar", Shards.tar(7, SAMPLES, 5_000));
    try (ShardDataset dataset = builder.build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES).contains("7/000003");
    }
  }

  @Test
  void shardsWithoutAManifestAreFetchedOnceForIndexAndEpochs() throws IOException {
    String spec = server.url("/d/shard-00000{0..3}.tar");
    try (ShardDataset dataset =
        ShardDataset.builder().storage(storage).shards(spec).cache(cache(), PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    }
    assertThat(gets()).isEqualTo(SHARDS);
  }

  @Test
  void noMoreIsKeptThanTheBoundAndWhatWasKeptStays() throws IOException {
    long bound = datasetBytes / 2;
    try (ShardDataset dataset = dataset(bound).shuffle(Shuffle.SHARDS).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
      assertThat(keptBytes()).isBetween(bound / 2, bound);
      List<Path> kept = files(".pieces");
      for (int epoch = 1; epoch < 4; epoch++) {
        assertThat(Shards.keys(dataset, epoch)).hasSize(SHARDS * SAMPLES);
        assertThat(keptBytes()).isLessThanOrEqualTo(bound);
        assertThat(files(".pieces")).containsAll(kept);
      }
    }
  }

  @Test
  void datasetThatNobodyHasOpenMakesRoomAndOthersDoNot() throws IOException {
    long bound = datasetBytes;
    put("/e", 5_000, false);
    List<Path> kept;
    try (ShardDataset dataset = dataset(bound).build()) {
      Shards.keys(dataset, 0);
      kept = files(".pieces");
      try (ShardDataset other = dataset("/e", bound).build()) {
        assertThat(Shards.keys(other, 0)).hasSize(SHARDS * SAMPLES);
        assertThat(files(".pieces")).containsAll(kept);
        assertThat(keptBytes()).isLessThanOrEqualTo(bound);
      }
    }
    try (ShardDataset other = dataset("/e", bound).build()) {
      Shards.keys(other, 0);
      assertThat(keptBytes()).isLessThanOrEqualTo(bound);
      long first = gets();
      Shards.keys(other, 1);
      assertThat(gets() - first).isLessThan(first / 2);
    }
    assertThat(files(".pieces")).isNotEqualTo(kept);
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
        assertThat(count.get()).isEqualTo(2 * SHARDS * SAMPLES);
      }
    } finally {
      readers.shutdownNow();
    }
    assertThat(keptBytes()).isBetween(1L, bound);
  }

  @Test
  void processThatIsKilledLeavesAGoodCacheAndPinsNothing() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                CachedEpochs.class.getName(),
                server.url("/d"),
                cache().toString(),
                Long.toString(datasetBytes))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      // It says so in the middle of an epoch, and goes on with the next ones for ever.
      assertThat(process.getInputStream().read()).isEqualTo('!');
      try (ShardDataset dataset = dataset(datasetBytes).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
    try (ShardDataset dataset = dataset(datasetBytes).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    }
    put("/e", 5_000, false);
    try (ShardDataset other = dataset("/e", datasetBytes).build()) {
      Shards.keys(other, 0);
      long first = gets();
      Shards.keys(other, 1);
      assertThat(gets() - first).isZero();
    }
    assertThat(keptBytes()).isLessThanOrEqualTo(datasetBytes);
  }

  @Test
  void diskWithoutRoomEndsTheCachingWithOneWarningAndNotTheEpoch() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).build()) {
      Shards.keys(dataset, 0);
    }
    for (Path data : files(".data")) {
      Files.delete(data);
      Files.createSymbolicLink(data, Path.of("/dev/full"));
    }
    for (Path journal : files(".pieces")) {
      Files.delete(journal);
      // Without a journal the data would be an orphan, and be thrown away.
      Files.createFile(journal);
    }
    try (Warnings warnings = new Warnings();
        ShardDataset dataset = dataset(PLENTY).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
      assertThat(Shards.keys(dataset, 1)).hasSize(SHARDS * SAMPLES);
      assertThat(warnings.messages())
          .singleElement()
          .asString()
          .contains("cache " + cache() + ": nothing more is kept there: No space left on device");
    }
    for (Path data : files(".data")) {
      Files.delete(data);
    }
  }

  @Test
  void fileSystemWithoutRoomEndsTheCachingAndNotTheEpoch() throws Exception {
    Path mount = Files.createDirectory(directory.resolve("mount"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=512k", "tarn-test", mount.toString()),
        "mounting a tmpfs is not allowed here");
    try {
      try (Warnings warnings = new Warnings();
          ShardDataset dataset = dataset(PLENTY).cache(mount, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
        assertThat(Shards.keys(dataset, 1)).hasSize(SHARDS * SAMPLES);
        assertThat(warnings.messages()).hasSize(1);
      }
      try (Warnings warnings = new Warnings();
          ShardDataset dataset = dataset(PLENTY).cache(mount, PLENTY).build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
        assertThat(warnings.messages()).hasSizeLessThanOrEqualTo(1);
      }
    } finally {
      assertThat(run("umount", mount.toString())).isTrue();
    }
  }

  private static boolean run(String... command) throws InterruptedException, IOException {
    return new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start()
            .waitFor()
        == 0;
  }

  @Test
  void folderOfOthersIsRefusedAndUntouched() throws IOException {
    Files.createDirectories(cache());
    Path mine = Files.writeString(cache().resolve("thesis.txt"), "years of work");
    assertThatThrownBy(() -> dataset(PLENTY).build())
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("holds files that are no cache of this SDK's");
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
    put("/e", 5_000, false);
    try (ShardDataset other = dataset("/e", datasetBytes).build()) {
      Shards.keys(other, 0);
    }
    assertThat(mine).hasContent("mine");
    assertThat(beside).hasContent("mine");
  }

  @Test
  void shardThatIsReplacedUnderWayIsAnErrorAndNoMix() throws IOException {
    try (ShardDataset dataset = dataset(PLENTY).verify(false).build()) {
      dataset.get(0);
      byte[] other = Shards.tar(0, SAMPLES, 5_000);
      other[other.length - 1] ^= 1;
      server.put("/d/shard-000000.tar", other);
      assertThatThrownBy(() -> dataset.get(50))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("replaced");
    }
  }
}
