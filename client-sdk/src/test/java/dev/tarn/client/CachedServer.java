package dev.tarn.client;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.fixtures.TestJvm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** Datasets on a web server that are read by way of a cache. */
final class CachedServer implements AutoCloseable {
  static final int SHARDS = 4;
  static final int SAMPLES = 100;

  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/data");
  private static final int SIZE_MAX = 5_000;

  private final Path cache;
  private final FaultyServer server = new FaultyServer();
  private final Storage storage =
      Storage.open(
          StorageOptions.builder()
              .retries(new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(1)))
              .build());

  CachedServer(Path cache) throws IOException {
    this.cache = cache;
  }

  FaultyServer server() {
    return server;
  }

  Storage storage() {
    return storage;
  }

  /**
   * Puts a dataset of shards, which are numbered from a first on in their samples' keys; says how
   * many bytes they are with their indexes.
   */
  long put(String path, int first, boolean isCompressed) throws IOException {
    MemoryStorage memory = new MemoryStorage();
    if (isCompressed) {
      Shards.gzipDataset(memory, FOLDER, SHARDS, SAMPLES, SIZE_MAX, 10);
    } else {
      int[] counts = new int[SHARDS];
      Arrays.fill(counts, SAMPLES);
      Shards.dataset(memory, FOLDER, first, counts, SIZE_MAX);
    }
    long bytes = 0;
    for (StoredObject object : memory.list(FOLDER).toList()) {
      server.put(
          path + "/" + object.url().nameUnder(FOLDER), memory.readAll(object.url(), 1 << 30));
      bytes += object.size();
    }
    return bytes;
  }

  DatasetBuilder dataset(String path, long bytesMax) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(server.url(path))
        .memoryBudget(1 << 20)
        .cache(cache, bytesMax);
  }

  /** How often something was got, but for the manifest. */
  long gets() {
    return server.requests().stream()
        .filter(request -> request.startsWith("GET") && !request.contains("dataset.json"))
        .count();
  }

  long keptBytes() throws IOException {
    long bytes = 0;
    for (Path journal : files(".pieces")) {
      ByteBuffer records =
          ByteBuffer.wrap(Files.readAllBytes(journal)).order(ByteOrder.LITTLE_ENDIAN);
      for (int at = 0; at < records.limit(); at += 16) {
        bytes += records.getInt(at + 8);
      }
    }
    return bytes;
  }

  /** How many bytes the cache takes for kept. */
  long countedBytes() throws IOException {
    return ByteBuffer.wrap(Files.readAllBytes(cache.resolve("space"))).getLong();
  }

  List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.list(cache.resolve("objects"))) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  /** Starts a process that reads a dataset for ever, and waits until it is in its first epoch. */
  Process read(String path, long bytesMax) throws IOException {
    return start(path, bytesMax, "ever");
  }

  /**
   * Starts a process that reads an epoch to its middle, and waits until it is there. It goes on to
   * the end when its input is closed, and fails if it cannot.
   */
  Process readHalf(String path, long bytesMax) throws IOException {
    return start(path, bytesMax, "half");
  }

  private Process start(String path, long bytesMax, String length) throws IOException {
    Process process =
        TestJvm.start(
            CachedEpochs.class,
            server.url(path),
            cache.toString(),
            Long.toString(bytesMax),
            length);
    if (process.getInputStream().read() != '!') {
      throw new AssertionError("the process has ended");
    }
    return process;
  }

  @Override
  public void close() {
    storage.close();
    server.close();
  }
}
