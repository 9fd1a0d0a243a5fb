package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.BucketSettings.Verify;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Selection;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.Scrubber;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.residents.Ticks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Short ranges of large objects of a cached bucket, which are fetched and kept by pages. */
final class PageReadsTest {
  private static final int UNIT = 8 << 20;
  private static final int PAGE = 4096;

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);
  private final AtomicInteger ticks = new AtomicInteger();
  private Freshness freshness = Freshness.IMMUTABLE;
  private Verify verify = Verify.SCRUB;
  private long reserveBytes = StoreSettings.DEFAULT.reserveBytes();
  private SimulatedDisk disk;
  private CachingNode node;

  PageReadsTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    node = open();
  }

  private CachingNode open() throws IOException {
    return new CachingNode(
        disk,
        withReserve(reserveBytes),
        new Backends(any -> backend),
        BucketSettings.PRIMARY
            .with(Durability.OS)
            .with(verify)
            .withBackend(Optional.of(settings))
            .with(freshness),
        InstantSource.system(),
        ticks::get);
  }

  private static StoreSettings withReserve(long reserveBytes) {
    StoreSettings like = StoreSettings.DEFAULT;
    return new StoreSettings(
        like.log(),
        like.inlineBytesMax(),
        like.indexCacheBytes(),
        like.openExtentsMax(),
        like.pendingCommitsMax(),
        like.checkpointRecords(),
        reserveBytes,
        like.deadRatioMax(),
        like.ioErrorsMax(),
        like.uploadAgeMsMax(),
        like.cache());
  }

  private void reopen() throws IOException {
    node.close();
    node = open();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    backend.close();
    other.close();
  }

  @Test
  void coldRangeCostsOneRequestForItsPages() {
    byte[] bytes = there("key", 2 * UNIT);

    assertIsRead(bytes, UNIT + 5000, 4096);

    assertThat(backend.rangesRead()).containsExactly(UNIT + 4096L);
    assertThat(fetched()).isEqualTo(2 * PAGE);
  }

  @Test
  void rangeIsServedFromTheDiskFromThenOn() throws IOException {
    byte[] bytes = there("key", 2 * UNIT);
    assertIsRead(bytes, 70_000, 65_536);
    backend.goDown();

    assertIsRead(bytes, 70_000, 65_536);
    assertIsRead(bytes, 80_000, 10);
    reopen();
    assertIsRead(bytes, 90_000, 4096);

    assertThat(node.cacheMeters().hits()).isEqualTo(1);
  }

  @Test
  void onlyAbsentPagesAreFetched() {
    byte[] bytes = there("key", 2 * UNIT);
    assertIsRead(bytes, 0, PAGE);
    assertIsRead(bytes, 5 * PAGE, PAGE);
    long before = fetched();

    assertIsRead(bytes, 100, 6 * PAGE - 200);

    assertThat(fetched() - before).isEqualTo(4 * PAGE);
  }

  @Test
  void rangeMayCrossABorderBetweenUnits() {
    byte[] bytes = there("key", 2 * UNIT + 100_000);

    assertIsRead(bytes, UNIT - 3000, 5000);
    assertIsRead(bytes, UNIT - 3000, 5000);

    assertThat(fetched()).isEqualTo(2 * PAGE);
    assertIsRead(bytes, 2 * UNIT + 99_000, 1000);
  }

  @Test
  void rangeOfASmallObjectBringsAllOfIt() {
    byte[] bytes = there("key", 100_000);
    assertIsRead(bytes, 50_000, 1000);
    int requests = backend.rangesRead().size();

    assertIsRead(bytes, 0, 100_000);

    assertThat(backend.rangesRead()).hasSize(requests);
  }

  @Test
  void rangeThatIsAllOfASmallObjectCostsOneRequest() {
    byte[] bytes = there("key", 3000);

    assertThat(value(node.calls().get("key", new Selection.Range(10, 4000))))
        .isEqualTo(Arrays.copyOfRange(bytes, 10, 3000));
    assertThat(backend.rangesRead()).hasSize(1);
    backend.goDown();
    assertIsRead(bytes, 0, 3000);
  }

  @Test
  void rangeThatIsNotShortBesideItsObjectCostsOneRequestMore() {
    byte[] bytes = there("key", 1 << 20);

    assertIsRead(bytes, 0, 100_000);

    assertThat(backend.rangesRead()).containsExactly(0L, 0L);
    assertThat(backend.heads()).isZero();
  }

  @Test
  void rangeBeyondTheEndIsRefused() {
    there("key", 2 * UNIT);

    assertThat(node.calls().get("key", new Selection.Range(2L * UNIT, 2L * UNIT + 10)))
        .isInstanceOf(Outcome.Failed.class);
    assertThat(value(node.calls().get("key", new Selection.Range(2L * UNIT - 10, 2L * UNIT + 9))))
        .hasSize(10);
  }

  @Test
  void wholeReadReplacesThePages() {
    byte[] bytes = there("key", UNIT);
    assertIsRead(bytes, 5000, 4096);

    assertThat(Arrays.equals(value(node.calls().get("key")), bytes)).isTrue();
    node.awaitFetches();

    assertThat(disk.files("extents/")).hasSize(1);
    backend.goDown();
    assertIsRead(bytes, 5000, 4096);
  }

  @Test
  void readersOfTheSamePagesShareOneRequest() throws Exception {
    byte[] bytes = there("key", 2 * UNIT);
    assertIsRead(bytes, UNIT, 1);
    int before = backend.rangesRead().size();
    CountDownLatch latch = new CountDownLatch(1);
    backend.hold(10, latch);

    List<CompletableFuture<byte[]>> readers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 64; i++) {
        readers.add(
            CompletableFuture.supplyAsync(
                () -> value(node.calls().get("key", new Selection.Range(5000, 5999))), threads));
      }
      backend.awaitHeld();
      latch.countDown();
      for (CompletableFuture<byte[]> reader : readers) {
        assertThat(reader.get()).isEqualTo(Arrays.copyOfRange(bytes, 5000, 6000));
      }
    }

    assertThat(backend.rangesRead()).hasSize(before + 1);
  }

  @Test
  void bytesOfTwoVersionsAreNeverMixed() throws IOException {
    freshness = Freshness.REVALIDATE;
    reopen();
    for (int version = 0; version < 4; version++) {
      byte[] bytes = put("key", 2 * UNIT, version);
      assertIsRead(bytes, 3 * PAGE, PAGE);
      assertIsRead(bytes, 0, 8 * PAGE);
      assertIsRead(bytes, 0, 8 * PAGE);
    }

    assertThat(disk.files("extents/")).hasSize(1);
  }

  @Test
  void damagedPageIsFetchedAgain() throws IOException {
    verify = Verify.ALWAYS;
    reopen();
    byte[] bytes = there("key", 2 * UNIT);
    assertIsRead(bytes, 0, 2 * PAGE);
    disk.corrupt(disk.files("extents/").getFirst(), 4096 + 2 * PAGE + 100);

    assertIsRead(bytes, 0, 2 * PAGE);

    assertThat(fetched()).isEqualTo(3 * PAGE);
  }

  @Test
  void scrubRemovesDamagedPages() throws IOException {
    byte[] bytes = there("key", 2 * UNIT);
    assertIsRead(bytes, 0, 2 * PAGE);
    assertThat(scrubbedCorrupt()).isZero();
    disk.corrupt(disk.files("extents/").getFirst(), 4096 + 2 * PAGE + 100);

    assertThat(scrubbedCorrupt()).isEqualTo(1);
    assertThat(scrubbedCorrupt()).isZero();
    assertIsRead(bytes, 0, 2 * PAGE);
    assertThat(fetched()).isEqualTo(3 * PAGE);
  }

  private long scrubbedCorrupt() throws IOException {
    try (Scrubber scrubber = new Scrubber(node.store(), Long.MAX_VALUE, () -> false)) {
      boolean more = true;
      while (more) {
        more = scrubber.next();
      }
      return scrubber.report().corruptCount();
    }
  }

  @Test
  void errorOfTheDiskIsNotSeenByTheReader() {
    byte[] bytes = there("key", 2 * UNIT);
    disk.failNextWriteLate("extents/", "Input/output error");
    assertIsRead(bytes, 0, 2 * PAGE);
    disk.setRoom(1000);
    assertIsRead(bytes, 10 * PAGE, 2 * PAGE);
    disk.setRoom(Long.MAX_VALUE);

    disk.failReadsOf("extents/");
    assertIsRead(bytes, 0, 2 * PAGE);
    assertIsRead(bytes, 10 * PAGE, 2 * PAGE);
  }

  @Test
  void brokenBackendFailsTheReadAndLeavesNothing() {
    byte[] bytes = there("key", 2 * UNIT);
    assertIsRead(bytes, 0, 1);
    backend.goDown();

    assertThat(node.calls().get("key", new Selection.Range(50_000, 50_001)))
        .isInstanceOf(Outcome.Failed.class);
    assertThat(node.store().room().promisedBytes()).isZero();
  }

  @Test
  void closedAnswersGiveTheirMemoryBack() {
    byte[] bytes = there("key", 2 * UNIT);
    int length = 500_000;
    for (long read = 0; read < 300L << 20; read += length) {
      assertIsRead(bytes, 7, length);
    }

    assertThat(fetched()).isEqualTo(PAGE * ((7L + length) / PAGE + 1));
  }

  /** The cache has room for a part of what is read, at random places of several objects. */
  @Test
  void fullCacheKeepsThePagesThatAreAskedForMostAndEveryReaderGetsItsBytes() throws IOException {
    disk.setCapacity(3 << 20);
    reserveBytes = 0;
    reopen();
    int objects = 6;
    int size = 2 << 20;
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < objects; i++) {
      all.add(there("key" + i, size + i));
    }
    Random random = new Random(3);
    int pages = objects * size / PAGE;
    long asked = 0;
    long hitsBefore = 0;
    int reads = 4_000;
    for (int i = 0; i < reads; i++) {
      if (i == reads / 2) {
        hitsBefore = (long) node.cacheMeters().hitBytes.count();
      }
      ticks.addAndGet(Ticks.of(Duration.ofMillis(100)));
      // Nine of ten reads are of a tenth of the pages, spread over all units.
      int page = random.nextInt(10) == 0 ? random.nextInt(pages) : random.nextInt(pages / 10) * 10;
      String key = "key" + page % objects;
      int begin = page / objects * PAGE;
      assertThat(value(node.calls().get(key, new Selection.Range(begin, begin + PAGE - 1))))
          .isEqualTo(Arrays.copyOfRange(all.get(page % objects), begin, begin + PAGE));
      asked += PAGE;
    }

    double hitShare = ((long) node.cacheMeters().hitBytes.count() - hitsBefore) / (asked / 2.0);
    assertThat(hitShare).isGreaterThan(0.8);
    assertThat(fetched()).isLessThan(asked);
    assertThat(node.store().residents().bytes()).isLessThan(3 << 20);
    assertThat(node.store().room().promisedBytes()).isZero();
  }

  private void assertIsRead(byte[] bytes, int offset, int length) {
    Selection range = new Selection.Range(offset, offset + length - 1L);
    assertThat(
            Arrays.equals(
                value(node.calls().get("key", range)),
                Arrays.copyOfRange(bytes, offset, offset + length)))
        .as("bytes %d to %d", offset, offset + length - 1)
        .isTrue();
  }

  private long fetched() {
    return (long) node.cacheMeters().fetchedBytes.count();
  }

  private byte[] there(String key, int length) {
    return put(key, length, length);
  }

  private byte[] put(String key, int length, long seed) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    other.objects().put(key, bytes, Map.of());
    return bytes;
  }
}
