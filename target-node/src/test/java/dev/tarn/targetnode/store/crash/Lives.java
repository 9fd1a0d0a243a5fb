package dev.tarn.targetnode.store.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.space.Compactor;
import dev.tarn.targetnode.store.space.Sweeper;
import dev.tarn.targetnode.store.space.Tombstones;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The lives of one disk, each ended by a loss of power or a kill at a random moment, under writers,
 * with compaction and sweeps. Each life begins by looking at all keys: each must hold what was last
 * acknowledged, or what was under way at the end of the last life, whole. What a life has found
 * must be there in all lives that follow.
 */
final class Lives {
  private static final int WRITERS = 4;
  private static final int VERSION_WRITERS = 2;

  private final Path directory;
  private final long seed;
  private final Random random;
  private final List<DiskWriter> writers = new ArrayList<>();
  private SimulatedDisk disk;

  Lives(Path directory, long seed) {
    this.directory = directory;
    this.seed = seed;
    this.random = new Random(seed);
    this.disk = new SimulatedDisk(directory.resolve("index"));
    for (int i = 0; i < WRITERS; i++) {
      writers.add(new Writer("w" + i, random.nextLong()));
    }
    for (int i = 0; i < VERSION_WRITERS; i++) {
      writers.add(new VersionWriter(new BucketId(2 + i), random.nextLong()));
    }
  }

  /** Lives until power was lost so often; gives the number of operations acknowledged. */
  int run(int powerCuts) throws Exception {
    int lost = 0;
    for (int life = 0; lost < powerCuts; life++) {
      disk.cutPowerAfter(life == 0 ? random.nextInt(600) : 60L + random.nextInt(900));
      live(seed + "." + life);
      boolean killed = random.nextInt(4) == 0;
      disk = killed ? disk.afterKill() : disk.afterPowerCut(random);
      lost += killed ? 0 : 1;
      if (random.nextInt(3) == 0) {
        removeIndex();
      }
    }
    disk.cutPowerAfter(Long.MAX_VALUE);
    try (OneDisk last = new OneDisk(disk, OneDisk.SMALL)) {
      for (DiskWriter writer : writers) {
        assertThat(writer.check(last, "seed " + seed + " at the end")).isPositive();
      }
    }
    return writers.stream().mapToInt(DiskWriter::acknowledged).sum();
  }

  private void live(String life) throws Exception {
    OneDisk node;
    try {
      node = new OneDisk(disk, OneDisk.SMALL);
    } catch (IOException e) {
      assertThat(disk.isDead()).as("life %s began with %s", life, e).isTrue();
      return;
    }
    try {
      for (DiskWriter writer : writers) {
        writer.check(node, "life " + life);
      }
      List<Thread> threads = new ArrayList<>();
      for (DiskWriter writer : writers) {
        SimulatedDisk present = disk;
        threads.add(Thread.ofPlatform().start(() -> writer.write(node, present)));
      }
      reclaim(node);
      for (Thread thread : threads) {
        thread.join();
      }
      writers.forEach(DiskWriter::rethrow);
    } finally {
      node.crash();
    }
  }

  private void reclaim(OneDisk node) {
    try {
      node.sweepExtents();
      new Sweeper(node.store(), Clock.systemUTC()).sweepUploads();
      while (!disk.isDead()) {
        new Compactor(node.store()).compact(Integer.MAX_VALUE);
        new Tombstones(node.store()).forget();
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
