package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.space.Compactor;
import dev.tarn.targetnode.store.space.Sweeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Losses of power at random moments, under writers, with compaction and sweeps. Each life begins by
 * looking at all keys: each must hold what was last acknowledged, or what was under way at the end
 * of the last life, whole. What a life has found must be there in all lives that follow.
 */
final class PowerCutTest {
  private static final int WRITERS = 4;
  private static final int CUTS = Integer.getInteger("tarn.test.powerCuts", 30);
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void whatWasAcknowledgedIsThereAndNothingIsHalfWritten(long seed) throws Exception {
    Random random = new Random(seed);
    SimulatedDisk disk = new SimulatedDisk(directory.resolve("index"));
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer("w" + i, random.nextLong()));
    }
    for (int cut = 0; cut < CUTS; cut++) {
      disk.cutPowerAfter(60L + random.nextInt(900));
      live(disk, writers, seed + "." + cut);
      disk = random.nextInt(4) == 0 ? disk.afterKill() : disk.afterPowerCut(random);
      if (random.nextInt(3) == 0) {
        removeIndex();
      }
    }
    disk.cutPowerAfter(Long.MAX_VALUE);
    try (OneDisk last = new OneDisk(disk, OneDisk.SMALL)) {
      for (Writer writer : writers) {
        assertThat(writer.check(last.calls(), "seed " + seed + " at the end")).isPositive();
      }
    }
    assertThat(writers.stream().mapToInt(Writer::acknowledged).sum()).isGreaterThan(CUTS);
  }

  private static void live(SimulatedDisk disk, List<Writer> writers, String life) throws Exception {
    OneDisk node;
    try {
      node = new OneDisk(disk, OneDisk.SMALL);
    } catch (IOException e) {
      assertThat(disk.isDead()).as("life %s began with %s", life, e).isTrue();
      return;
    }
    try {
      for (Writer writer : writers) {
        writer.check(node.calls(), "life " + life);
      }
      List<Thread> threads = new ArrayList<>();
      for (Writer writer : writers) {
        threads.add(Thread.ofPlatform().start(() -> writer.write(node.calls(), disk)));
      }
      reclaim(node, disk);
      for (Thread thread : threads) {
        thread.join();
      }
      writers.forEach(Writer::rethrow);
    } finally {
      node.crash();
    }
  }

  private static void reclaim(OneDisk node, SimulatedDisk disk) {
    try {
      new Sweeper(node.store(), Clock.systemUTC()).sweep();
      while (!disk.isDead()) {
        new Compactor(node.store()).compact();
        Thread.onSpinWait();
      }
    } catch (IOException e) {
      assertThat(disk.isDead()).as("space was not reclaimed: %s", e).isTrue();
    }
  }

  private void removeIndex() throws IOException {
    Path index = directory.resolve("index");
    if (!Files.exists(index)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(index)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
