package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.fixtures.Rounds;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.index.IndexCursor;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.space.Compactor;
import dev.tarn.targetnode.store.space.Tombstones;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compaction forgets small cached objects, and the process ends at any moment. Neither an object
 * that was deleted nor an older one comes back, and no primary object is lost. Entries of the cache
 * are believed without a question to the backend, so each that comes back is seen.
 */
final class ForgottenRecordsTest {
  private static final int OBJECT = 6000;
  private static final int KEYS = 2000;
  private static final int PRIMARY_KEYS = 60;
  private static final int CAPACITY = 4 << 20;
  private static final int LIVES = Rounds.of(12);
  private static final int STEPS = 600;
  private static final int COMPACTED_EVERY = 10;

  /** Of the file that says that a segment's cached objects are forgotten. */
  private static final String MARK = ".forgotten";

  private final CachedRecordsFixture fixture = new CachedRecordsFixture();
  private final Random random = new Random(3);

  /** What the bucket has; no bytes for a deleted object. */
  private final Map<String, byte[]> cached = new HashMap<>();

  private final Map<String, byte[]> primary = new HashMap<>();
  private SimulatedDisk disk;
  private CachingNode node;
  private int segmentsFreed;
  private int endsAfterMark;

  ForgottenRecordsTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    disk.setCapacity(CAPACITY);
    node = open();
  }

  private CachingNode open() throws IOException {
    return fixture.open(disk, CacheSettings.Policy.LRU);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    fixture.close();
  }

  @Test
  void nothingForgottenComesBack() throws IOException {
    long capacity = CAPACITY;
    for (int life = 0; life < LIVES; life++) {
      live(life % 2 == 0);
      node.crash();
      node.close();
      boolean isPowerLost = random.nextInt(3) == 0;
      disk = isPowerLost ? disk.afterPowerCut(random) : disk.afterKill();
      if (isPowerLost) { // Removed files may be back.
        capacity = Math.max(capacity, disk.usedBytes() + CAPACITY / 4);
      }
      disk.setCapacity(capacity);
      if (random.nextBoolean()) {
        removeIndex();
      }
      node = open();
      assertTableIsThatOfTheIndex();
      cached.forEach((key, bytes) -> assertIs(bytes, key, node.calls().get(key)));
      primary.forEach((key, bytes) -> assertIs(bytes, key, node.primary().get(key)));
    }

    assertThat(segmentsFreed).isGreaterThan(LIVES);
    assertThat(endsAfterMark).isPositive();
  }

  @Test
  void objectThatIsDeletedBeforeItsSegmentStaysDeleted() throws IOException {
    for (int i = 0; i < KEYS; i++) {
      String key = "key" + i;
      fixture.put(key, new byte[OBJECT]);
      value(node.calls().get(key));
    }
    Set<String> before = keysInTheIndex();
    disk.failDeletionsOf("log/");
    assertThatIOException().isThrownBy(this::compact);
    Set<String> forgotten = new HashSet<>(before);
    forgotten.removeAll(keysInTheIndex());
    forgotten.forEach(key -> value(node.calls().delete(key)));
    node.crash();
    node.close();
    disk = disk.afterKill();
    removeIndex();
    node = open();

    assertThat(forgotten).isNotEmpty();
    forgotten.forEach(key -> assertIs(new byte[0], key, node.calls().get(key)));
  }

  private Set<String> keysInTheIndex() throws IOException {
    Set<String> keys = new HashSet<>();
    try (IndexCursor cursor = node.store().index().allObjects()) {
      while (cursor.nextObject()) {
        if (cursor.entry().entry() instanceof LogEntry.ObjectStored stored) {
          keys.add(stored.object().metadata().name().key().text());
        }
      }
    }
    return keys;
  }

  private void live(boolean endsWhileForgetting) throws IOException {
    boolean endsEarly = random.nextInt(3) == 0;
    try {
      for (int step = 0; step < STEPS; step++) {
        if (step == STEPS / 2 && endsWhileForgetting) {
          disk.cutPowerAfterCreating(MARK, random.nextInt(4));
        } else if (step == STEPS / 2 && endsEarly) {
          disk.cutPowerAfter(random.nextInt(STEPS));
        }
        step();
        node.store().measure();
        if (step % COMPACTED_EVERY == 0) {
          compact();
          new Tombstones(node.store()).forget();
        }
      }
      disk.cutPowerAfter(random.nextInt(12));
      while (compact()) {
        requirePower();
      }
    } catch (IOException e) {
      if (!disk.isDead()) {
        throw e;
      }
      boolean isMarked = disk.files("log/").stream().anyMatch(file -> file.endsWith(MARK));
      endsAfterMark += isMarked ? 1 : 0;
    }
  }

  private boolean compact() throws IOException {
    boolean isFreed = new Compactor(node.store()).compact(1) > 0;
    segmentsFreed += isFreed ? 1 : 0;
    return isFreed;
  }

  private void step() throws IOException {
    String key = "key" + random.nextInt(KEYS);
    switch (random.nextInt(20)) {
      case 0, 1, 2 -> settle(cached, key, new byte[0], node.calls().delete(key));
      case 3, 4 -> {
        String name = "primary" + random.nextInt(PRIMARY_KEYS);
        byte[] bytes = anyBytes();
        settle(primary, name, bytes, node.primary().put(name, bytes));
      }
      case 5, 6, 7, 8 -> {
        byte[] bytes = anyBytes();
        settle(cached, key, bytes, node.calls().put(key, bytes));
      }
      default -> {
        Outcome<byte[]> found = node.calls().get(key);
        requirePower();
        if (cached.containsKey(key)) {
          assertIs(cached.get(key), key, found);
        }
      }
    }
  }

  private byte[] anyBytes() {
    byte[] bytes = new byte[1 + random.nextInt(OBJECT)];
    random.nextBytes(bytes);
    return bytes;
  }

  /** Remembers what was acknowledged; of other changes nobody knows whether they were made. */
  private void settle(Map<String, byte[]> bucket, String key, byte[] bytes, Outcome<?> acknowledged)
      throws IOException {
    bucket.remove(key);
    if (acknowledged instanceof Outcome.Success<?>) {
      bucket.put(key, bytes);
    }
    requirePower();
  }

  private void requirePower() throws IOException {
    if (disk.isDead()) {
      throw new IOException("the power is off");
    }
  }

  private static void assertIs(byte[] bytes, String key, Outcome<byte[]> found) {
    if (bytes.length > 0) {
      assertThat(value(found)).as(key).isEqualTo(bytes);
    } else {
      assertThat(found)
          .as(key)
          .isInstanceOfSatisfying(
              Outcome.Failed.class,
              failed -> assertThat(failed.failure()).isInstanceOf(Failure.NoSuchKey.class));
    }
  }

  private void assertTableIsThatOfTheIndex() throws IOException {
    long bytes = 0;
    try (IndexCursor cursor = node.store().index().allObjects()) {
      while (cursor.nextObject()) {
        if (cursor.entry().entry() instanceof LogEntry.ObjectStored stored
            && stored.object().metadata().origin() != null) {
          bytes += cursor.entry().location().recordLength();
        }
      }
    }
    long inTable = node.store().residents().bytesInLog();
    assertThat(inTable + node.store().cachedRecords().forgettableBytes()).isEqualTo(bytes);
  }

  private void removeIndex() throws IOException {
    try (Stream<Path> files = Files.walk(disk.indexDirectory())) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
