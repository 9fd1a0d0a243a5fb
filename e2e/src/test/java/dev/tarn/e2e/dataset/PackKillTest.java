package dev.tarn.e2e.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.e2e.process.SharderProcess;
import dev.tarn.e2e.process.TarnProcess;
import dev.tarn.fixtures.Rounds;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.Sha256;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** SIGKILL at random moments of packs. The next pack continues what the killed one left. */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
class PackKillTest {
  private static final int KILLS = Rounds.of(3);

  /** So often a pack is killed before it may come to its end. */
  private static final int KILLS_OF_A_PACK = 3;

  private static final int PACKS_MAX = 40;
  private static final int FILES = 600;
  private static final int FILE_BYTES_MAX = 160_000;

  @TempDir private Path folder;

  /** Starts one pack into a destination. */
  private interface Packing {
    Process start(String destination) throws IOException;
  }

  @BeforeEach
  void writeFiles() throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = new byte[random.nextInt(FILE_BYTES_MAX)];
      random.nextBytes(bytes);
      Path file = folder.resolve("source").resolve("class%d/%04d.bin".formatted(i % 7, i));
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
    }
  }

  @Test
  void packToADirectoryEndsWithTheSameBytesHoweverOftenItIsKilled() throws Exception {
    try (Storage storage = Storage.open()) {
      kill(
          storage,
          folder.resolve("set").toString(),
          destination ->
              SharderProcess.start(
                  "pack",
                  folder.resolve("source").toString(),
                  destination,
                  "--max-size=1MiB",
                  "--seed=7",
                  "--quiet"));
    }

    try (Stream<Path> files = Files.walk(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .as("what killed packs left")
          .noneMatch(name -> name.startsWith(".tarn-part") || name.equals(".packing"));
    }
  }

  @Test
  void packIntoTarnEndsWithTheSameBytesHoweverOftenItIsKilled() throws Exception {
    try (TarnProcess tarn = TarnProcess.start(folder);
        S3Client s3 = tarn.openS3Client();
        Storage storage = Storage.open(options(tarn))) {
      s3.createBucket(create -> create.bucket("data"));
      kill(
          storage,
          "s3://data/set",
          destination ->
              SharderProcess.start(
                  tarn.s3(),
                  "pack",
                  folder.resolve("source").toString(),
                  destination,
                  "--max-size=12MiB",
                  "--seed=7",
                  "--quiet"));

      assertThat(s3.listMultipartUploads(list -> list.bucket("data")).uploads())
          .as("uploads that killed packs left")
          .isEmpty();
    }
  }

  private static StorageOptions options(TarnProcess tarn) {
    return StorageOptions.builder()
        .endpoint(tarn.s3())
        .region("us-east-1")
        .credentials(AccessKeys.of(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY))
        .build();
  }

  private static void kill(Storage storage, String name, Packing packing)
      throws IOException, InterruptedException {
    Process whole = packing.start(name);
    awaitPlan(storage, name, whole);
    long start = System.nanoTime();
    assertThat(whole.waitFor()).isZero();
    long packingNanos = System.nanoTime() - start;
    Map<String, Sha256> unbroken = contents(storage, name);
    Random random = new Random(11);
    int killed = 0;
    int midway = 0;
    for (int pack = 0; killed < KILLS || midway == 0; pack++) {
      assertThat(pack)
          .as("packs, none of which was killed between two shards")
          .isLessThan(PACKS_MAX);
      String destination = name + "-" + pack;
      for (int i = 0; i < KILLS_OF_A_PACK && !isDone(names(storage, destination)); i++) {
        Process process = packing.start(destination);
        awaitPlan(storage, destination, process);
        boolean ended =
            midway == 0
                ? endsBeforeItsFirstIndex(storage, destination, process)
                : process.waitFor(random.nextLong(packingNanos), TimeUnit.NANOSECONDS);
        if (ended) {
          assertThat(process.exitValue()).isZero();
        } else {
          process.destroyForcibly();
          var _ = process.waitFor();
          killed++;
          midway += isMidway(names(storage, destination)) ? 1 : 0;
        }
      }
      if (!isDone(names(storage, destination))) {
        assertThat(packing.start(destination).waitFor()).isZero();
      }
      assertThat(contents(storage, destination)).as(destination).isEqualTo(unbroken);
    }
    System.out.printf("%s: %d kills, %d of them between two shards%n", name, killed, midway);
  }

  /** Packs that go on find it at once, and so may be killed before they write. */
  private static void awaitPlan(Storage storage, String destination, Process process)
      throws IOException, InterruptedException {
    StorageUrl plan = StorageUrl.parse(destination).child(".packing/plan");
    while (!storage.exists(plan) && !process.waitFor(1, TimeUnit.MILLISECONDS)) {
      // It lists and plans.
    }
  }

  /** Waits for a shard to be finished: then the next ones are under way. */
  private static boolean endsBeforeItsFirstIndex(
      Storage storage, String destination, Process process)
      throws IOException, InterruptedException {
    while (process.isAlive()) {
      try (Stream<StoredObject> objects = storage.list(StorageUrl.parse(destination))) {
        if (objects.anyMatch(object -> object.url().name().endsWith(ShardIndex.SUFFIX))) {
          return false;
        }
      }
    }
    return process.waitFor() == 0;
  }

  private static boolean isDone(Set<String> names) {
    return names.contains("dataset.json") && !names.contains(".packing/plan");
  }

  private static boolean isMidway(Set<String> names) {
    return names.contains(".packing/plan")
        && !names.contains("dataset.json")
        && names.stream().anyMatch(name -> name.endsWith(ShardIndex.SUFFIX));
  }

  private static Set<String> names(Storage storage, String name) throws IOException {
    StorageUrl dataset = StorageUrl.parse(name);
    if (dataset.scheme() == StorageUrl.Scheme.FILE && Files.notExists(Path.of(dataset.path()))) {
      return Set.of();
    }
    try (Stream<StoredObject> objects = storage.list(dataset)) {
      return objects.map(object -> object.url().nameUnder(dataset)).collect(Collectors.toSet());
    }
  }

  private static Map<String, Sha256> contents(Storage storage, String name) throws IOException {
    StorageUrl dataset = StorageUrl.parse(name);
    Map<String, Sha256> contents = new TreeMap<>();
    for (String object : names(storage, name)) {
      byte[] bytes = storage.readAll(dataset.child(object), Integer.MAX_VALUE - 8);
      contents.put(object, Sha256.digest(ByteBuffer.wrap(bytes)));
    }
    return contents;
  }
}
