package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.CacheRules;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.local.RacingDisk;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.log.LogPosition;
import dev.tarn.targetnode.store.residents.CacheShare;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.room.Room;
import dev.tarn.targetnode.store.space.Compactor;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small cached objects, which are records of the log, on a disk that is smaller than all. */
final class CachedRecordsTest {
  private static final int OBJECT = 6000;
  private static final int CAPACITY = 4 << 20;

  /** About how many objects the disk has room for, beyond the reserve and the headroom. */
  private static final int FITTING = 500;

  /** The most that three compactions write. */
  private static final int COMPACTION = 16 << 10;

  private final CachedRecordsFixture fixture = new CachedRecordsFixture();
  private final GatedBackend backend = fixture.backend();
  private final SimulatedDisk disk;
  private CachingNode node;

  CachedRecordsTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    disk.setCapacity(CAPACITY);
    node = open(CacheSettings.Policy.TENURE);
  }

  private CachingNode open(CacheSettings.Policy policy) throws IOException {
    return fixture.open(disk, policy);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    fixture.close();
  }

  @Test
  void hotSetStaysWhileOthersAreReadOnce() throws IOException {
    List<String> hot = objects("hot", FITTING / 4);
    read(hot);
    read(hot);
    read(hot);
    int missed = 0;
    for (int pass = 0; pass < 8; pass++) {
      read(objects("once" + pass + "-", FITTING / 2));
      missed += read(hot);
    }

    assertThat(missed).isLessThanOrEqualTo(8 * hot.size() / 100);
    assertThat(
            node.store().left().of(Leaving.FOR_BETTER) + node.store().left().of(Leaving.FOR_ROOM))
        .isPositive();
  }

  @Test
  void epochsAreServedFromThePartThatFits() throws IOException {
    List<String> data = objects("data", 2 * FITTING);
    read(data);
    Random random = new Random(1);
    int missed = 0;
    int epochs = 6;
    for (int epoch = 0; epoch < epochs; epoch++) {
      Collections.shuffle(data, random);
      missed += read(data);
    }

    double reachable = Math.min(1, (double) FITTING / data.size());
    double hits = 1 - (double) missed / (epochs * data.size());
    assertThat(hits).isGreaterThan(0.9 * reachable);
  }

  @Test
  void changeOfWhatIsPopularCopiesLittle() throws IOException {
    node.close();
    node = open(CacheSettings.Policy.LRU);
    List<String> data = objects("data", 4 * FITTING);
    Random random = new Random(2);
    long written = written();
    long evicted = evicted();
    for (int round = 0; round < 100; round++) {
      List<String> some = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        some.add(data.get((int) (data.size() * Math.pow(random.nextDouble(), 2))));
      }
      read(some);
    }

    assertThat(evicted() - evicted).isGreaterThan(CAPACITY);
    assertThat((double) (written() - written) / (evicted() - evicted)).isLessThan(2);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void primaryBytesTakeTheirRoom(boolean isPaused) throws Exception {
    List<String> data = objects("data", 2 * FITTING);
    read(data);
    if (isPaused) {
      read(data);
      fixture.pass(Duration.ofHours(3)); // They are worth nothing now.
    }
    AtomicBoolean isDone = new AtomicBoolean();
    FutureTask<Boolean> upkeep =
        new FutureTask<>(() -> {
          while (!isDone.get()) {
            compact();
          }
          return true;
        });
    Thread.ofPlatform().start(upkeep);
    try {
      for (int i = 0; i < (CAPACITY - CachedRecordsFixture.RESERVE) / 200_000; i++) {
        value(node.primary().put("primary" + i, new byte[180_000]));
      }
    } finally {
      isDone.set(true);
      upkeep.get();
    }

    assertThat(node.store().residents().bytesInLog()).isLessThan(CAPACITY / 8);
    assertThat(node.primary().put("more", new byte[CAPACITY / 2]))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));
  }

  @Test
  void pinnedObjectsTakeTheirRoomAndTheyAreNotCopiedBack() throws IOException {
    List<String> data = objects("data", FITTING);
    read(data);
    read(data);
    node.store()
        .residents()
        .setShares(bucket -> new CacheShare(0, Long.MAX_VALUE, CacheRules.parse("pin:pinned")));
    long written = written();
    List<String> pinned = objects("pinned", FITTING / 2);
    int passes = 0;
    while (read(pinned) > 0) {
      passes++; // Room comes with the segments that compaction frees.
      assertThat(passes).isLessThan(200);
    }

    assertThat(written() - written).isLessThan(3L * OBJECT * FITTING / 4);
  }

  @Test
  void objectsBeyondALoweredShareLeaveOnce() throws IOException {
    List<String> data = objects("data", FITTING);
    read(data);
    read(objects("once", FITTING));
    read(data);
    long most = node.store().residents().bytes() / 2;
    long left = node.store().left().of(Leaving.FOR_SHARES);
    long excess = node.store().residents().bytes() - most;
    node.store().residents().setShares(bucket -> new CacheShare(0, most, CacheRules.NONE));

    for (int segments = 0; segments < 3 * CAPACITY / (64 << 10); segments++) {
      while (node.store().residents().bytes() > most) {
        Thread.onSpinWait(); // The thread that keeps shares looks every second.
      }
      node.store().measure();
      if (new Compactor(node.store()).compact(1) == 0) {
        break;
      }
    }

    assertThat(node.store().left().of(Leaving.FOR_SHARES) - left)
        .isBetween(excess - OBJECT, excess + CAPACITY / 10);
  }

  @Test
  void objectsThatLeaveMakeRoomBesideALargePrimaryLog() throws IOException {
    node.close();
    disk.setCapacity(3L * CAPACITY);
    node = open(CacheSettings.Policy.LRU);
    for (int i = 0; i < 2 * CAPACITY / OBJECT; i++) {
      value(node.primary().put("primary" + i, bytes("primary" + i)));
    }
    read(objects("first", FITTING));
    read(objects("second", FITTING));
    read(objects("third", FITTING));
    compact(); // What has left since the last compaction would count as waiting.

    double resident = node.store().residents().bytesInLog();
    double waiting = node.store().cachedRecords().forgettableBytes();
    assertThat(evicted()).isPositive();
    assertThat(waiting / (resident + waiting)).isLessThan(0.35);
  }

  @Test
  void primaryBytesHaveRoomWhileCompactionForgetsWhatWaited() throws IOException {
    node.close();
    RacingDisk racing = new RacingDisk(disk);
    node = fixture.open(racing, CacheSettings.Policy.TENURE);
    read(objects("data", FITTING));
    node.store().residents().setShares(bucket -> new CacheShare(0, 0, CacheRules.NONE));
    while (node.store().residents().bytes() > 0) {
      Thread.onSpinWait(); // The thread that keeps shares looks every second.
    }
    node.store().measure();
    long free = node.store().room().primaryBytes() - COMPACTION;
    List<Boolean> fits = new CopyOnWriteArrayList<>();
    Thread compacting = Thread.currentThread();
    racing.beforeMeasuring(() -> {
      if (!Thread.currentThread().equals(compacting)) {
        return; // The thread that evicts measures too, and promises would exclude each other.
      }
      Optional<Room.Promise> promise = node.store().promiseNow(free);
      fits.add(promise.isPresent());
      promise.ifPresent(Room.Promise::close);
    });
    assertThat(new Compactor(node.store()).compact(3)).isEqualTo(3);
    long freeAfter = node.store().room().primaryBytes();

    assertThat(fits).hasSizeGreaterThanOrEqualTo(3).containsOnly(true);
    assertThat(freeAfter).isBetween(free, free + 2L * COMPACTION);
  }

  @Test
  void restartKnowsAllObjectsAndTheirUse() throws IOException {
    List<String> hot = objects("hot", FITTING / 4);
    for (int i = 0; i < 4; i++) {
      read(hot);
      read(objects("once" + i + "-", FITTING / 8));
    }
    long count = node.store().residents().count();
    long bytes = node.store().residents().bytes();
    node.close();
    node = open(CacheSettings.Policy.TENURE);

    assertThat(node.store().residents().count()).isEqualTo(count);
    assertThat(node.store().residents().bytes()).isEqualTo(bytes);
    read(objects("again", FITTING));
    assertThat(read(hot)).isLessThanOrEqualTo(hot.size() / 50);
  }

  private List<String> objects(String prefix, int count) {
    return new ArrayList<>(IntStream.range(0, count).mapToObj(i -> there(prefix + i)).toList());
  }

  private String there(String key) {
    fixture.put(key, bytes(key));
    return key;
  }

  private static byte[] bytes(String key) {
    byte[] bytes = new byte[OBJECT];
    new Random(key.hashCode()).nextBytes(bytes);
    return bytes;
  }

  /** Reads objects at about the same time, 10 s after the last pass; returns how many missed. */
  private int read(List<String> keys) throws IOException {
    fixture.pass(Duration.ofSeconds(10));
    int before = backend.rangesRead().size();
    for (int i = 0; i < keys.size(); i++) {
      assertThat(Arrays.equals(value(node.calls().get(keys.get(i))), bytes(keys.get(i)))).isTrue();
      if (i % 20 == 0) {
        compact();
      }
    }
    return backend.rangesRead().size() - before;
  }

  private void compact() throws IOException {
    node.store().measure();
    new Compactor(node.store()).compact(Integer.MAX_VALUE);
  }

  /** The bytes of records that have left the cache since the start. */
  private long evicted() {
    return node.store().left().of(Leaving.FOR_BETTER) + node.store().left().of(Leaving.FOR_ROOM);
  }

  /** The bytes that were written to the log since the disk was made, about. */
  private long written() {
    LogPosition tail = node.store().log().tail();
    return tail.segment() * (64L << 10) + tail.offset();
  }
}
