package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What makes room in a cache on disk, and who counts as using it. */
final class SharedCacheTest {
  private static final int ALL = CachedServer.SHARDS * CachedServer.SAMPLES;

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

  private void read(String path, long bytesMax, int epoch) throws IOException {
    try (ShardDataset dataset = served.dataset(path, bytesMax).build()) {
      assertThat(Shards.keys(dataset, epoch)).hasSize(ALL);
    }
  }

  /** As if all that is kept had been used last so many minutes ago. */
  private void age(int minutes) throws IOException {
    FileTime time = FileTime.from(Instant.now().minusSeconds(60L * minutes));
    for (Path journal : served.files(".pieces")) {
      if (Files.getLastModifiedTime(journal).compareTo(time) > 0) {
        Files.setLastModifiedTime(journal, time);
      }
    }
  }

  @Test
  void olderVersionOfADatasetMakesRoomForTheOneThatIsRead() throws IOException {
    read("/d", datasetBytes, 0);
    long bytes = served.put("/d", 10, false);
    long bound = Math.max(datasetBytes, bytes);
    // Each of its shards makes room of the older one, which may be shorter: the second time all
    // have.
    read("/d", bound, 0);
    read("/d", bound, 1);
    assertThat(served.keptBytes()).isLessThanOrEqualTo(bound);
    long gets = served.gets();
    read("/d", bound, 2);
    assertThat(served.gets()).isEqualTo(gets);
  }

  /** Room for a dataset as it is and as it will be, not for both. */
  private long roomForOne() throws IOException {
    return Math.max(served.put("/d", 10, false), served.put("/d", 0, false));
  }

  private void assertThatAllIsKept(long bytesMax) throws IOException {
    read("/d", bytesMax, 0);
    read("/d", bytesMax, 1);
    long gets = served.gets();
    read("/d", bytesMax, 2);
    assertThat(served.gets()).isEqualTo(gets);
    assertThat(served.keptBytes()).isLessThanOrEqualTo(bytesMax);
  }

  /** Of few samples at a time, so that what the cache lacks would be missed. */
  private ShardDataset shuffled(long bytesMax) throws IOException {
    return served.dataset("/d", bytesMax).shuffle(Shuffle.FULL).prefetchDepth(0).build();
  }

  @Test
  void olderVersionMakesRoomAlsoWhileSomebodyHasItOpenWhoseEpochHasEnded() throws IOException {
    long bound = roomForOne();
    read("/d", bound, 0);
    try (ShardDataset old = shuffled(bound);
        SampleIterator ended = old.iterate(0)) {
      assertThat(Shards.take(ended, ALL + 1)).isEqualTo(ALL);
      try (SampleIterator closed = old.iterate(1)) {
        assertThat(Shards.take(closed, ALL / 2)).isEqualTo(ALL / 2);
      }
      served.put("/d", 10, false);
      assertThatAllIsKept(bound);
    }
  }

  @Test
  void olderVersionStaysWhileAnEpochReadsIt() throws IOException {
    long bound = roomForOne();
    read("/d", bound, 0);
    try (ShardDataset old = shuffled(bound)) {
      try (SampleIterator samples = old.iterate(0);
          SampleIterator abandoned = old.iterate(1)) {
        assertThat(Shards.take(samples, ALL / 2)).isEqualTo(ALL / 2);
        assertThat(Shards.take(abandoned, 1)).isEqualTo(1);
        served.put("/d", 10, false);
        read("/d", bound, 0);
        read("/d", bound, 1);
        assertThat(served.keptBytes()).isLessThanOrEqualTo(bound);
        long gets = served.gets();
        assertThat(Shards.take(samples, ALL)).isEqualTo(ALL / 2);
        assertThat(served.gets()).isEqualTo(gets);
      }
      assertThatAllIsKept(bound);
    }
  }

  @Test
  void olderVersionStaysWhileAnEpochOfAnotherProcessReadsIt() throws Exception {
    long bound = roomForOne();
    read("/d", bound, 0);
    Process old = served.readHalf("/d", bound);
    try {
      served.put("/d", 10, false);
      read("/d", bound, 0);
      read("/d", bound, 1);
      long gets = served.gets();
      old.getOutputStream().close();
      assertThat(old.waitFor()).isZero();
      assertThat(served.gets()).isEqualTo(gets);
    } finally {
      old.destroyForcibly();
    }
    assertThatAllIsKept(bound);
  }

  @Test
  void olderVersionMakesRoomWhenTheProcessIsKilledThatReadsIt() throws Exception {
    long bound = roomForOne();
    read("/d", bound, 0);
    Process old = served.readHalf("/d", bound);
    served.put("/d", 10, false);
    try (ShardDataset dataset = served.dataset("/d", bound).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      old.destroyForcibly().waitFor();
      assertThatAllIsKept(bound);
    }
  }

  @Test
  void whatWasUsedLastStaysLongest() throws IOException {
    long bound = datasetBytes + served.put("/e", 20, false) + datasetBytes / 4;
    served.put("/f", 30, false);
    read("/d", bound, 0);
    age(20);
    read("/e", bound, 0);
    age(10);
    // Written first, and used last.
    read("/d", bound, 1);
    read("/f", bound, 0);
    long gets = served.gets();
    read("/d", bound, 2);
    assertThat(served.gets()).isEqualTo(gets);
  }

  @Test
  void datasetStaysThatIsOpenTwiceInAProcessWhenAnotherProcessNeedsRoom() throws Exception {
    served.put("/e", 20, false);
    try (ShardDataset dataset = served.dataset("/d", datasetBytes).build();
        ShardDataset twice = served.dataset("/d", datasetBytes).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      assertThat(Shards.keys(twice, 0)).hasSize(ALL);
      List<Path> kept = served.files(".pieces");
      served.read("/e", datasetBytes).destroyForcibly().waitFor();
      assertThat(served.files(".pieces")).containsAll(kept);
    }
  }

  @Test
  void roomOfAKilledProcessIsFoundAgainWhileOthersUseTheCache() throws Exception {
    // At such a bound a process takes room for four datasets at once.
    long bound = 64 * datasetBytes;
    served.put("/e", 20, false);
    try (ShardDataset dataset = served.dataset("/d", bound).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      served.read("/e", bound).destroyForcibly().waitFor();
      read("/d", bound, 1);
    }
    // Of what it took, a process tells each time that another sixteenth is used.
    assertThat(served.countedBytes() - served.keptBytes()).isBetween(0L, datasetBytes / 4);
  }

  @Test
  void roomOfAKilledProcessIsFoundAgainByWhoHasNone() throws Exception {
    served.put("/e", 20, false);
    try (ShardDataset dataset = served.dataset("/d", 2 * datasetBytes).build()) {
      // At such a bound a process takes room for four datasets at once.
      served.readHalf("/e", 64 * datasetBytes).destroyForcibly().waitFor();
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      long gets = served.gets();
      assertThat(Shards.keys(dataset, 1)).hasSize(ALL);
      assertThat(served.gets()).isEqualTo(gets);
    }
  }

  @Test
  void copiesOfTheSdkInOneProcessShareTheCache() throws Exception {
    String shards = served.server().url("/d/shard-00000{0..3}.tar");
    String manifest = served.server().url("/d");
    List<String> datasets = List.of("manifest", manifest, "shards", shards);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (ShardDataset dataset = served.dataset("/d", datasetBytes).build()) {
      List<Future<Integer>> counts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        List<String> arguments = datasets.subList(i % 2 * 2, i % 2 * 2 + 2);
        counts.add(threads.submit(() -> readByACopy(arguments.get(0), arguments.get(1))));
      }
      assertThat(Shards.keys(dataset, 0)).hasSize(ALL);
      for (Future<Integer> count : counts) {
        assertThat(count.get()).isEqualTo(2 * ALL);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(served.keptBytes()).isLessThanOrEqualTo(datasetBytes);
  }

  @SuppressWarnings("unchecked")
  private int readByACopy(String naming, String url) throws Exception {
    List<URL> path = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      path.add(Path.of(entry).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> copy = loader.loadClass(CopiedReader.class.getName());
      assertThat(copy).isNotSameAs(CopiedReader.class);
      Thread.currentThread().setContextClassLoader(loader);
      String cache = directory.resolve("cache").toString();
      return ((Callable<Integer>)
              copy.getDeclaredConstructor(String.class, String.class, String.class, long.class)
                  .newInstance(naming, url, cache, datasetBytes))
          .call();
    }
  }

  @Test
  void addressThatIsSignedAnewIsOfTheSameShard() throws IOException {
    for (String signature : List.of("X-Amz-Signature=1&X-Amz-Date=2", "Expires=3&Signature=4")) {
      String url = served.server().url("/d/shard-000000.tar?" + signature);
      try (ShardDataset dataset =
          ShardDataset.builder()
              .storage(served.storage())
              .shards(List.of(url))
              .cache(directory.resolve("cache"), datasetBytes)
              .build()) {
        assertThat(Shards.keys(dataset, 0)).hasSize(CachedServer.SAMPLES);
      }
    }
    assertThat(served.gets()).isEqualTo(1);
  }
}
