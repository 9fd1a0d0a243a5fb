package dev.tarn.targetnode.store.crash;

import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** One simulated disk through several lives, each begun and ended as a scenario says. */
final class Stage implements AutoCloseable {
  private static final BucketId VERSIONED = new BucketId(2);

  private final Path directory;
  private final Random random;
  private SimulatedDisk disk;
  private Optional<OneDisk> node = Optional.empty();

  Stage(Path directory, long seed, String ignoredSync) {
    this.directory = directory;
    this.random = new Random(seed);
    this.disk = new SimulatedDisk(directory.resolve("index"));
    disk.ignoreSync(ignoredSync);
  }

  Random random() {
    return random;
  }

  SimulatedDisk disk() {
    return disk;
  }

  Calls start(Durability durability) throws IOException {
    OneDisk started = new OneDisk(disk, OneDisk.SMALL, durability);
    node = Optional.of(started);
    return started.calls();
  }

  /** Calls of a bucket of its own that does this with earlier versions. */
  Calls versions(Versioning versioning) {
    node.orElseThrow().setVersioning(VERSIONED, versioning);
    return node.orElseThrow().calls(VERSIONED);
  }

  void switchTo(Durability durability) {
    node.orElseThrow().switchTo(durability);
  }

  void compact() throws IOException {
    new Compactor(node.orElseThrow().store()).compact(Integer.MAX_VALUE);
  }

  /** The process ends; nothing is lost yet of what the system has in memory. */
  void kill() throws IOException {
    crash();
    disk = disk.afterKill();
  }

  /** What was not synced may be lost. */
  void cutPower() throws IOException {
    crash();
    disk = disk.afterPowerCut(random);
  }

  /** Ends the life in good order. */
  void stop() throws IOException {
    node.orElseThrow().close();
    node = Optional.empty();
  }

  private void crash() throws IOException {
    if (node.isPresent()) {
      node.orElseThrow().crash();
      node = Optional.empty();
    }
  }

  void removeIndex() throws IOException {
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

  @Override
  public void close() throws IOException {
    crash();
    removeIndex();
  }
}
