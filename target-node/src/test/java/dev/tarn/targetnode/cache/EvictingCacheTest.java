package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.local.RacingDisk;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.log.LogSettings;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Ticks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cached bucket and a primary one on a disk that is smaller than what is read and written. */
final class EvictingCacheTest {
  /** Larger than what goes into the log, so each object is a unit. */
  private static final int OBJECT = 120_000;

  private static final int CAPACITY = 4 << 20;

  /** A little less than the disk has room for, beyond the reserve and the headroom. */
  private static final int FITTING = 22;

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);
  private final SimulatedDisk disk;
  private volatile Duration clockIsAhead = Duration.ZERO;

  /** The time of the cache. Reads of one pass come at the same time, and passes 10 s apart. */
  private final AtomicInteger ticks = new AtomicInteger();

  private CachingNode node;

  EvictingCacheTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    disk.setCapacity(CAPACITY);
    node = open(disk, CacheSettings.DEFAULT);
  }

  private CachingNode open(Disk opened, CacheSettings cache) throws IOException {
    StoreSettings store =
        new StoreSettings(
            new LogSettings(64 << 10, 64 << 10, 8),
            4 << 10,
            8 << 20,
            8,
            1000,
            40,
            512 << 10,
            0.15,
            3,
            1000L * 3600,
            cache);
    return new CachingNode(
        opened,
        store,
        new Backends(any -> backend),
        BucketSettings.PRIMARY
            .with(Durability.OS)
            .withBackend(Optional.of(settings))
            .with(Freshness.IMMUTABLE),
        () -> Instant.now().plus(clockIsAhead),
        ticks::get);
  }

  private void reopen(Disk opened) throws IOException {
    node.close();
    node = open(opened, CacheSettings.DEFAULT);
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    backend.close();
    other.close();
  }

  @Test
  void hotSetThatFitsIsServedFromTheCacheFromTheSecondPassOn() {
    List<String> hot = objects("hot", FITTING / 2);
    readAll(hot);
    int fetches = backend.rangesRead().size();

    for (int pass = 0; pass < 4; pass++) {
      readAll(hot);
    }

    assertThat(backend.rangesRead()).hasSize(fetches);
  }

  @Test
  void shuffledEpochsAreServedFromThePartThatFits() {
    List<String> data = objects("data", 2 * FITTING);
    List<String> order = new ArrayList<>(data);
    readAll(order);
    long before = (long) node.cacheMeters().hitBytes.count();

    Random random = new Random(1);
    int epochs = 4;
    for (int epoch = 0; epoch < epochs; epoch++) {
      Collections.shuffle(order, random);
      readAll(order);
    }

    double hitShare =
        (double) ((long) node.cacheMeters().hitBytes.count() - before)
            / ((long) epochs * data.size() * OBJECT);
    double fittingShare = (double) node.store().residents().count() / data.size();
    assertThat(fittingShare).isBetween(0.4, 0.8);
    assertThat(hitShare).isGreaterThan(0.9 * fittingShare);
    assertThat(node.store().residents().refused()).isPositive();
  }

  @Test
  void cachedDataIsEvictedFromTheHighWatermarkDownToTheLowOne() throws IOException {
    node.close();
    node =
        open(
            disk,
            new CacheSettings(CacheSettings.Policy.LRU, 0, Duration.ZERO, Duration.ZERO, 0.8, 0.5));
    readAll(objects("data", 2 * FITTING));
    assertThat(usedShare()).isBetween(0.7, 0.8);

    value(node.primary().put("primary", new byte[OBJECT])); // It goes beyond the high one.
    while (usedShare() > 0.5) {
      Thread.onSpinWait();
    }
    assertThat(usedShare()).isGreaterThan(0.4);
  }

  /** The share of the disk that is used, the reserve included, as the watermarks count it. */
  private double usedShare() {
    return 1 - (double) node.store().room().freeBytes() / CAPACITY;
  }

  @Test
  void clockThatJumpsEvictsNothingInUse() {
    List<String> hot = objects("hot", FITTING);
    readAll(hot);
    readAll(hot);
    for (int days : new int[] {1000, -1000, 0}) {
      clockIsAhead = Duration.ofDays(days);
      readAll(objects("read once" + days, FITTING));
      readAll(hot);
    }
    int fetches = 4 * FITTING; // One of each object.

    assertThat(backend.rangesRead()).hasSizeBetween(fetches, fetches + FITTING / 4);
  }

  @Test
  void unitThatIsNotKeptIsNotWritten() {
    readAll(objects("kept", 2 * FITTING));
    List<String> files = disk.files("extents/");

    byte[] bytes = there("refused");
    assertThat(value(node.calls().get("refused"))).isEqualTo(bytes);
    assertThat(value(node.calls().get("refused"))).isEqualTo(bytes);

    // The thread that keeps room for primary bytes may remove a unit meanwhile.
    assertThat(disk.files("extents/")).isNotEmpty().isSubsetOf(files);
    assertThat(node.store().residents().refused()).isPositive();
    assertThat(node.cacheMeters().passedForRoom()).isZero();
  }

  @Test
  void readersOfAUnitThatIsNotKeptShareOneFetch() throws Exception {
    readAll(objects("kept", 2 * FITTING));
    byte[] bytes = there("refused");
    value(node.calls().get("refused"));
    int before = backend.rangesRead().size();
    CountDownLatch latch = new CountDownLatch(1);
    backend.hold(1000, latch);

    List<CompletableFuture<byte[]>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 64; i++) {
        Outcome<ObjectRead> begun = node.calls().begin("refused");
        readers.add(CompletableFuture.supplyAsync(() -> Calls.read(value(begun)), threads));
      }
      backend.release();
      latch.countDown();
      for (CompletableFuture<byte[]> reader : readers) {
        assertThat(reader.get()).isEqualTo(bytes);
      }
    }

    assertThat(backend.rangesRead()).hasSize(before + 1);
  }

  @Test
  void primaryBytesTakeTheRoomOfCachedOnes() {
    readAll(objects("cached", 2 * FITTING));
    int puts = FITTING;

    for (int i = 0; i < puts; i++) {
      value(node.primary().put("primary" + i, bytes(i)));
    }

    for (int i = 0; i < puts; i++) {
      assertThat(value(node.primary().get("primary" + i))).isEqualTo(bytes(i));
    }
    assertThat(evictedForRoom()).isPositive();
    assertThat(node.store().health().ioErrors()).isZero();
  }

  @Test
  void primaryBytesAreRefusedOnlyWhenNothingCanBeEvicted() throws IOException {
    readAll(objects("cached", 2 * FITTING));
    int written = 0;
    Outcome<?> last = node.primary().put("first", bytes(1));
    while (last instanceof Outcome.Success) {
      last = node.primary().put("primary" + written++, bytes(written));
    }

    assertThat(last)
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.failure()).isInstanceOf(Failure.OutOfSpace.class));
    assertThat(cachedBytes()).isZero();
    node.store().room().measure();
    assertThat(node.store().room().freeBytes()).isLessThan(OBJECT);
    byte[] bytes = there("later");
    assertThat(value(node.calls().get("later"))).isEqualTo(bytes);
    assertThat(node.cacheMeters().passedForRoom()).isPositive();
  }

  @Test
  void putThatIsLargerThanAllThatCanLeaveEvictsNothing() {
    readAll(objects("cached", FITTING));
    long cached = cachedBytes();

    Outcome<?> refused = node.primary().put("large", new byte[CAPACITY]);

    assertThat(refused).isInstanceOf(Outcome.Failed.class);
    assertThat(cachedBytes()).isEqualTo(cached);
  }

  @Test
  void putsThatEachFitAloneAreNotAllAdmitted() {
    readAll(objects("cached", 2 * FITTING));
    long room = node.store().room().primaryBytes();
    List<Optional<?>> promises =
        IntStream.range(0, 10)
            .<Optional<?>>mapToObj(i -> node.store().promiseNow(room / 3))
            .toList();

    assertThat(promises.stream().filter(Optional::isPresent)).hasSize(3);
  }

  @Test
  void cachedBytesDoNotTakePromisedRoom() {
    long room = node.store().room().primaryBytes();
    assertThat(node.store().promiseNow(room)).isPresent();

    byte[] bytes = there("cold");
    assertThat(value(node.calls().get("cold"))).isEqualTo(bytes);

    assertThat(cachedBytes()).isZero();
  }

  @Test
  void readerOfAnEvictedUnitReadsOn() {
    readAll(objects("cached", 2 * FITTING));
    List<ObjectRead> begun = new ArrayList<>();
    for (int i = 0; i < FITTING / 2; i++) {
      begun.add(value(node.calls().begin("cached" + i)));
    }
    int fetches = backend.rangesRead().size();
    for (int i = 0; i < FITTING; i++) {
      value(node.primary().put("primary" + i, bytes(i)));
    }

    for (int i = 0; i < begun.size(); i++) {
      assertThat(Calls.read(begun.get(i))).isEqualTo(bytes("cached" + i));
    }
    assertThat(backend.rangesRead()).hasSize(fetches);
    assertThat(node.store().room().leavingBytes()).isZero();
  }

  @Test
  void unitThatIsEvictedBetweenLookUpAndOpeningIsFetched() throws IOException {
    RacingDisk racing = new RacingDisk(disk);
    reopen(racing);
    readAll(objects("cached", FITTING / 2));
    node.store().units().close(); // So that the next read opens a file.

    racing.beforeOpening("extents/", () -> node.store().makeRoom(CAPACITY));
    assertThat(value(node.calls().get("cached1"))).isEqualTo(bytes("cached1"));

    assertThat(node.store().health().ioErrors()).isZero();
    assertThat(value(node.calls().get("cached1"))).isEqualTo(bytes("cached1"));
  }

  @Test
  void diskThatSomebodyElseFillsKeepsServing() throws IOException {
    readAll(objects("cached", FITTING));
    disk.setCapacity(disk.usedBytes() + 1000);
    node.store().room().measure();

    byte[] bytes = there("cold");
    assertThat(value(node.calls().get("cold"))).isEqualTo(bytes);
    node.store().makeRoom(2 * OBJECT);
    value(node.primary().put("primary", bytes(1)));

    assertThat(value(node.primary().get("primary"))).isEqualTo(bytes(1));
  }

  @Test
  void fullDiskDuringAFetchIsNotSeenByTheReader() throws IOException {
    byte[] bytes = there("cold");
    disk.setRoom(1000);

    assertThat(value(node.calls().get("cold"))).isEqualTo(bytes);

    disk.setRoom(Long.MAX_VALUE);
    node.store().room().measure();
    readAll(List.of("cold"));
    assertThat(cachedBytes()).isPositive();
  }

  @Test
  void errorOfTheDiskDuringAFetchIsNotSeenByTheReader() {
    byte[] bytes = there("cold");
    disk.failNextWriteLate("extents/partial", "Input/output error");

    assertThat(value(node.calls().get("cold"))).isEqualTo(bytes);

    assertThat(cachedBytes()).isZero();
    node.awaitTasks(0); // The fetch that failed has ended, too.
    readAll(List.of("cold"));
    assertThat(cachedBytes()).isPositive();
  }

  @Test
  void backendThatIsDownEvictsNothing() {
    readAll(objects("cached", FITTING));
    there("cold");
    long cached = cachedBytes();
    backend.goDown();

    for (int i = 0; i < 10; i++) {
      assertThat(node.calls().get("cold")).isInstanceOf(Outcome.Failed.class);
    }

    assertThat(cachedBytes()).isEqualTo(cached);
    assertThat(node.store().room().promisedBytes()).isZero();
  }

  @Test
  void objectThatIsWrittenThroughAFullCacheDisplacesNothingInUse() {
    List<String> used = objects("used", FITTING);
    readAll(used);
    readAll(used);

    for (int i = 0; i < FITTING; i++) {
      value(node.calls().put("written" + i, bytes("written" + i)));
    }

    int fetches = backend.rangesRead().size();
    readAll(used);
    assertThat(backend.rangesRead()).hasSizeLessThan(fetches + FITTING / 4);
    readAll(List.of("written0", "written" + (FITTING - 1)));
    assertThat(node.store().room().promisedBytes()).isZero();
  }

  @Test
  void unitsThatCannotBeRemovedAreSkipped() {
    readAll(objects("cached", FITTING));
    disk.failDeletionsOf("extents/");

    node.store().makeRoom(CAPACITY);

    assertThat(node.store().residents().count()).isGreaterThan(FITTING / 2);
    disk.failDeletionsOf("");
    node.store().makeRoom(CAPACITY);
    assertThat(node.store().residents().count()).isZero();
    assertThat(disk.files("extents/").size()).isLessThan(FITTING / 2).isPositive();
    assertThat(node.store().health().outOfService()).isEmpty();
  }

  @Test
  void restartKnowsAllUnitsAndNoOthers() throws IOException {
    readAll(objects("cached", 2 * FITTING));
    value(node.primary().put("primary", bytes(1)));
    long cached = cachedBytes();
    long count = node.store().residents().count();
    SimulatedDisk killed = disk.afterKill();
    node.crash();
    reopen(killed);

    assertThat(cachedBytes()).isEqualTo(cached);
    assertThat(node.store().residents().count()).isEqualTo(count);
    assertThat(killed.files("extents/")).hasSize((int) count + 1);
    for (int i = 0; i < FITTING; i++) {
      value(node.primary().put("primary" + i, bytes(i)));
    }
  }

  @Test
  void boundOfTheCacheIsKept() throws IOException {
    node.close();
    long bound = 10L * (OBJECT + 8192);
    node = open(disk, CacheSettings.DEFAULT.with(CacheSettings.Policy.LRU, bound));

    readAll(objects("cached", FITTING / 2));

    assertThat(cachedBytes()).isBetween(bound / 2, bound);
    assertThat(node.store().left().of(Leaving.FOR_BETTER)).isPositive();
  }

  private List<String> objects(String prefix, int count) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(prefix + i);
      there(prefix + i);
    }
    return keys;
  }

  private byte[] there(String key) {
    return put(key, bytes(key));
  }

  private byte[] put(String key, byte[] bytes) {
    backend.put(
        ObjectKey.of(key),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(bytes),
        bytes.length,
        Preconditions.NONE);
    return bytes;
  }

  private static byte[] bytes(String key) {
    return bytes(key.hashCode());
  }

  private static byte[] bytes(int seed) {
    byte[] bytes = new byte[OBJECT];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  private void readAll(List<String> keys) {
    ticks.addAndGet(Ticks.of(Duration.ofSeconds(10)));
    for (String key : keys) {
      assertThat(Arrays.equals(value(node.calls().get(key)), bytes(key))).isTrue();
    }
    node.awaitFetches();
  }

  private long cachedBytes() {
    return node.store().residents().bytes();
  }

  private long evictedForRoom() {
    return node.store().left().of(Leaving.FOR_ROOM);
  }
}
