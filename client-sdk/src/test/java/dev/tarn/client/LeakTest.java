package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.FaultyServer.Fault;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.fixtures.Rounds;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Datasets that are opened and closed hundreds of times: before, in the middle and at the end of
 * epochs, after faults, with a cache and without.
 */
final class LeakTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/d");
  private static final int ROUNDS = Rounds.of(200);

  /** The classes, threads and files that everything needs are there by then. */
  private static final int FIRST_ROUNDS = 60;

  private static final int SHARDS = 3;
  private static final int SAMPLES = 40;

  private FaultyServer server;

  @TempDir Path directory;

  @BeforeEach
  void serve() throws IOException {
    server = new FaultyServer();
    put("plain", false);
    put("gzip", true);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void put(String name, boolean isCompressed) throws IOException {
    MemoryStorage memory = new MemoryStorage();
    if (isCompressed) {
      Shards.gzipDataset(memory, FOLDER, SHARDS, SAMPLES, 20_000, 7);
    } else {
      Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 20_000);
    }
    Path folder = Files.createDirectory(directory.resolve(name));
    for (StoredObject object : memory.list(FOLDER).toList()) {
      String file = object.url().nameUnder(FOLDER);
      byte[] bytes = memory.readAll(object.url(), 1 << 30);
      server.put("/bucket/" + name + "/" + file, bytes);
      Files.write(folder.resolve(file), bytes);
    }
  }

  private DatasetBuilder dataset(int round) {
    String name = round % 2 == 0 ? "plain" : "gzip";
    String folder =
        switch (round % 3) {
          case 0 -> directory.resolve(name).toString();
          case 1 -> server.url("/bucket/" + name);
          default -> "s3://bucket/" + name;
        };
    StorageOptions options =
        StorageOptions.builder()
            .endpoint(URI.create(server.url("")))
            .region("us-east-1")
            .anonymous(true)
            .retries(new RetryPolicy(2, Duration.ZERO, Duration.ZERO))
            .build();
    DatasetBuilder builder =
        ShardDataset.builder()
            .storageOptions(options)
            .manifest(folder)
            .memoryBudget(512 * 1024)
            .shuffle(round % 5 == 0 ? Shuffle.FULL : Shuffle.SHARDS);
    return round % 4 == 0 ? builder.cache(directory.resolve("cache"), 1 << 20) : builder;
  }

  /** One dataset from its opening to its close; some rounds meet faults on the way. */
  private void run(int round) throws IOException {
    try (ShardDataset dataset = dataset(round).build()) {
      if (round % 11 == 0) {
        for (int request = 0; request < 4; request++) {
          server.failNext(request % 2 == 0 ? Fault.status(500) : Fault.cutAfter(500));
        }
      }
      try (SampleIterator samples = dataset.iterate(round)) {
        int count = round % 9 == 0 ? Integer.MAX_VALUE : round % 13;
        for (int i = 0; i < count && samples.hasNext(); i++) {
          samples.next();
        }
      } catch (DatasetException e) {
        assertThat(round % 11).isZero();
      }
      server.recover();
      if (round % 7 == 0) {
        assertThat(dataset.get(round % (SHARDS * SAMPLES)).size()).isPositive();
      }
    }
  }

  @Test
  void nothingIsLeftOfAThousandDatasetsThatWereOpenedAndClosed() throws IOException {
    long files = 0;
    long directBytes = 0;
    Set<String> temporaries = temporaryFiles();
    try (Warnings warnings = new Warnings()) {
      for (int round = 0; round < ROUNDS; round++) {
        run(round);
        if (round == FIRST_ROUNDS) {
          files = openFiles();
          directBytes = directBytes();
        }
      }
      assertThat(warnings.messages()).isEmpty();
    }
    assertThat(threads()).isEmpty();
    assertThat(openFiles()).isLessThanOrEqualTo(files + 4);
    assertThat(directBytes()).isLessThanOrEqualTo(directBytes + (1 << 20));
    Set<String> left = temporaryFiles();
    left.removeAll(temporaries);
    run(1);
    // What another process on this machine had for a moment is gone by now.
    left.retainAll(temporaryFiles());
    assertThat(left).isEmpty();
    try (Stream<Path> needs = Files.list(directory.resolve("cache").resolve("needed"))) {
      assertThat(needs).isEmpty();
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tarn-"))
        .toList();
  }

  /** Sockets are among them. */
  private static long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.count();
    }
  }

  private static long directBytes() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .filter(pool -> pool.getName().equals("direct"))
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  private static Set<String> temporaryFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> name.startsWith("tarn-"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
