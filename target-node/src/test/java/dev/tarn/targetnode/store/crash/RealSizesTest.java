package dev.tarn.targetnode.store.crash;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.LocalDisk;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Room and starting time at real sizes, with a real disk's settings: minutes and gigabytes. */
@EnabledIfSystemProperty(named = "tarn.test.thorough", matches = "true")
final class RealSizesTest {
  private static final long LIVE_BYTES = 1L << 30;
  private static final int ROUNDS = 10;
  private static final int WRITERS = 16;
  private static final int STARTED_OBJECTS = 1_000_000;
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {8 << 10, 8 << 20})
  void tenRoundsOfOverwritingOneGibibyteLeaveLessThanOnePointThree(int objectBytes)
      throws Exception {
    int objects = (int) (LIVE_BYTES / objectBytes);
    byte[] bytes = new byte[objectBytes];
    new Random(1).nextBytes(bytes);
    long used;
    try (OneDisk node = disk()) {
      Compactor compactor = new Compactor(node.store());
      int slices = Math.min(64, objects);
      for (int slice = 0; slice < ROUNDS * slices; slice++) {
        int first = slice % slices * (objects / slices);
        put(node.calls(), first, objects / slices, bytes);
        compactor.compact(Integer.MAX_VALUE);
      }
      used = usedBytes();
    }
    System.out.println(
        ROUNDS + " rounds of 1 GiB in objects of " + objectBytes + " B leave " + used + " B");
    assertThat(used).isLessThan(LIVE_BYTES * 13 / 10);
  }

  @Test
  void aStoreOfAMillionObjectsStarts() throws Exception {
    try (OneDisk node = disk()) {
      put(node.calls(), 0, STARTED_OBJECTS, new byte[1024]);
    }
    long stopped = start("after a stop in good order");
    OneDisk killed = disk();
    put(killed.calls(), 0, 40_000, new byte[1024]);
    killed.crash();
    long crashed = start("after a crash");
    assertThat(stopped).isLessThan(3000);
    assertThat(crashed).isLessThan(3000);
  }

  private long start(String when) throws IOException {
    long begin = System.nanoTime();
    try (OneDisk node = disk()) {
      assertThat(value(node.calls().get("object-" + (STARTED_OBJECTS - 1)))).hasSize(1024);
      long millis = (System.nanoTime() - begin) / 1_000_000;
      System.out.println(STARTED_OBJECTS + " objects, start " + when + ": " + millis + " ms");
      return millis;
    }
  }

  private OneDisk disk() throws IOException {
    return new OneDisk(new LocalDisk(directory), StoreSettings.DEFAULT, Durability.OS);
  }

  private static void put(Calls calls, int first, int count, byte[] bytes) throws Exception {
    try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
      List<Future<Outcome<ObjectMetadata>>> last = new ArrayList<>();
      for (int writer = 0; writer < Math.min(WRITERS, count); writer++) {
        int start = first + writer;
        last.add(
            writers.submit(() -> {
              Outcome<ObjectMetadata> put = calls.put("object-" + start, bytes);
              for (int i = start + WRITERS; i < first + count; i += WRITERS) {
                put = calls.put("object-" + i, bytes);
                value(put);
              }
              return put;
            }));
      }
      for (Future<Outcome<ObjectMetadata>> put : last) {
        value(put.get());
      }
    }
  }

  private long usedBytes() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      return paths.filter(Files::isRegularFile).mapToLong(RealSizesTest::length).sum();
    }
  }

  private static long length(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
