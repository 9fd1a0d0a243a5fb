package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Selection;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.local.RacingDisk;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.extent.Units;
import dev.tarn.targetnode.store.index.IndexEntry;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.Unit;
import dev.tarn.targetnode.store.space.UnitSweeper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Large objects of a cached bucket: each unit is a file that may be there or not. */
final class CachedUnitsTest {
  private static final int UNIT = 8 << 20;
  private static final ObjectName KEY = new ObjectName(new BucketId(1), ObjectKey.of("key"));

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);
  private final SimulatedDisk disk;
  private CachingNode node;
  private Calls calls;

  CachedUnitsTest(@TempDir Path folder) throws IOException {
    disk = new SimulatedDisk(folder);
    node = open(disk, StoreSettings.DEFAULT);
    calls = node.calls();
  }

  private CachingNode open(Disk opened, StoreSettings store) throws IOException {
    return new CachingNode(
        opened,
        store,
        new Backends(any -> backend),
        BucketSettings.PRIMARY
            .with(Durability.OS)
            .withBackend(Optional.of(settings))
            .with(Freshness.IMMUTABLE));
  }

  private void reopen(Disk opened, StoreSettings store) throws IOException {
    node.close();
    node = open(opened, store);
    calls = node.calls();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    backend.close();
    other.close();
  }

  @Test
  void fillWritesOneRecordForTheObjectAndNoneForItsUnits() throws IOException {
    byte[] bytes = there("key", 4 * UNIT + 1000);
    value(calls.get("key", new Selection.Range(0, UNIT - 1)));
    long records = node.store().commits();
    long logBytes = node.store().log().bytes();

    assertIsRead("key", bytes);

    assertThat(node.store().commits()).isEqualTo(records);
    assertThat(node.store().log().bytes()).isEqualTo(logBytes);
    assertThat(backend.rangesRead()).hasSize(5);
    assertThat(bytesOnDisk()).isEqualTo(fileBytes(bytes.length));
  }

  @Test
  void unitsSurviveAKill() throws IOException {
    byte[] bytes = cached("key", 2 * UNIT + 1000);
    node.crash();

    reopen(disk.afterKill(), StoreSettings.DEFAULT);

    assertIsRead("key", bytes);
    assertThat(backend.rangesRead()).hasSize(3);
    assertThat(node.cacheMeters().hits()).isEqualTo(1);
  }

  @Test
  void unitThatIsRemovedBetweenLookUpAndOpeningIsFetchedAgain() throws IOException {
    RacingDisk racing = new RacingDisk(disk);
    reopen(racing, openingOneFile());
    byte[] bytes = cached("key", 2 * UNIT);
    // One file only is kept open, so each look at a unit opens it.
    for (String path : disk.files("extents/")) {
      racing.beforeOpening(path, this::removeUnits);

      assertIsRead("key", bytes);
      assertIsRead("key", bytes);
    }
    assertThat(node.store().health().ioErrors()).isZero();
    assertThat(backend.rangesRead()).hasSizeBetween(4, 6);
  }

  @Test
  void shortReadOfAUnitThatIsRemovedMeanwhileIsAnswered() throws IOException {
    RacingDisk racing = new RacingDisk(disk);
    reopen(racing, openingOneFile());
    byte[] bytes = there("key", 2 * UNIT);
    Selection across = new Selection.Range(UNIT - 10, UNIT + 9);
    value(calls.get("key"));
    for (String path : disk.files("extents/")) {
      racing.beforeOpening(path, this::removeUnits);

      assertThat(value(calls.get("key", across)))
          .isEqualTo(Arrays.copyOfRange(bytes, UNIT - 10, UNIT + 10));
    }
  }

  @Test
  void readerThatHasBegunGoesOnWhenItsUnitsAreRemoved() {
    byte[] bytes = cached("key", 3 * UNIT);
    ObjectRead begun = value(calls.begin("key"));

    removeUnits();

    assertThat(Arrays.equals(Calls.read(begun), bytes)).isTrue();
    assertIsRead("key", bytes);
  }

  @Test
  void eachContentIsReadWhenTheBackendsObjectChangesBackAndForth() throws IOException {
    byte[] first = bytes(1, 2 * UNIT);
    byte[] second = bytes(2, 2 * UNIT);
    for (byte[] content : List.of(first, second, first, second)) {
      other.objects().put("key", content, Map.of());
      reopenRevalidating();
      assertIsRead("key", content);
      assertThat(disk.files("extents/")).hasSize(2);
    }
  }

  private void reopenRevalidating() throws IOException {
    node.close();
    node =
        new CachingNode(
            disk,
            StoreSettings.DEFAULT,
            new Backends(any -> backend),
            BucketSettings.PRIMARY.with(Durability.OS).withBackend(Optional.of(settings)));
    calls = node.calls();
  }

  @Test
  void diskThatFillsDuringAFetchFailsNoReader() throws IOException {
    reopen(disk, withoutReserve());
    byte[] bytes = there("key", 2 * UNIT);
    value(calls.get("key", new Selection.Range(0, UNIT - 1)));
    disk.setRoom(UNIT + 100); // The unit has room when it begins, but its header does not.

    assertIsRead("key", bytes);

    node.awaitTasks(0);
    assertThat(node.cacheMeters().passedForRoom()).isPositive();
    assertThat(disk.files("extents/partial/")).isEmpty();
    disk.setRoom(Long.MAX_VALUE);
    assertIsRead("key", bytes);
  }

  @Test
  void inputOutputErrorDuringAFetchFailsNoReader() {
    byte[] bytes = there("key", 2 * UNIT);
    disk.failNextWriteLate("extents/partial", "Input/output error");

    assertIsRead("key", bytes);

    node.awaitFetches();
    assertThat(disk.files("extents/partial/")).isEmpty();
    assertIsRead("key", bytes);
  }

  @Test
  void writtenObjectIsCutIntoUnits() throws IOException {
    byte[] bytes = bytes(3, 2 * UNIT + 1000);
    value(calls.put("key", bytes));

    assertIsRead("key", bytes);

    assertThat(backend.rangesRead()).isEmpty();
    assertThat(disk.files("extents/")).hasSize(3);
    value(calls.put("key", bytes(4, 5000)));
    assertThat(disk.files("extents/")).isEmpty();
    assertIsRead("key", bytes(4, 5000));
    assertThat(backend.rangesRead()).isEmpty();
  }

  @Test
  void sweepRemovesUnitsOfNoObjectAndKeepsTheOthers() throws IOException {
    byte[] bytes = cached("key", 2 * UNIT);
    cached("gone", 2 * UNIT);
    removeRecord("gone");

    assertThat(sweepUnits()).isEqualTo(2);

    assertIsRead("key", bytes);
    assertThat(backend.rangesRead()).hasSize(4);
    assertThat(disk.files("extents/")).hasSize(2);
    assertThat(bytesOnDisk()).isEqualTo(fileBytes(2 * UNIT));
  }

  @Test
  void bytesOfUnitsAreCountedAfterARestart() throws IOException {
    cached("key", 2 * UNIT + 5);
    reopen(disk, StoreSettings.DEFAULT);

    sweepUnits();

    assertThat(bytesOnDisk()).isEqualTo(fileBytes(2 * UNIT + 5));
  }

  @Test
  void scrubSkipsAbsentUnitsAndRemovesDamagedOnes() throws IOException {
    byte[] bytes = there("key", 3 * UNIT);
    value(calls.get("key", new Selection.Range(0, UNIT - 1)));
    node.awaitFetches();
    assertThat(node.scrub().corruptCount()).isZero();

    disk.corrupt(disk.files("extents/").getFirst(), 4096 + 1_500_000);

    assertThat(node.scrub().corruptCount()).isEqualTo(1);
    assertThat(disk.files("extents/")).isEmpty();
    assertThat(node.scrub().corruptCount()).isZero();
    assertIsRead("key", bytes);
  }

  @Test
  void fileOfAUnitWithoutARecordIsUsedAndLeftOpenByNobody() throws IOException {
    int openBefore = disk.openFiles();
    byte[] bytes = cached("key", 2 * UNIT);
    node.store().units().close();
    removeRecord("key");

    assertIsRead("key", bytes);
    removeUnits();

    assertThat(disk.openFiles()).as("files left open").isEqualTo(openBefore);
  }

  @Test
  void unitThatCannotBeReadIsFetchedAgainAndCountedAsAnErrorOfTheDisk() throws IOException {
    byte[] bytes = cached("key", 2 * UNIT);
    reopen(disk, StoreSettings.DEFAULT);
    disk.failReadsOf(disk.createdAs(disk.files("extents/").getFirst()));

    assertIsRead("key", bytes);
    disk.failReadsOf("");

    assertThat(node.store().health().ioErrors()).isPositive();
    assertIsRead("key", bytes);
    assertThat(disk.files("extents/")).hasSize(2);
  }

  @Test
  void damagedSmallObjectIsReplacedByALargeOne() throws IOException {
    there("key", 1000);
    value(calls.get("key"));
    reopenRevalidating();
    disk.corrupt(disk.files("log/").getFirst(), 600);
    byte[] large = there("key", UNIT);

    assertIsRead("key", large);
  }

  private int sweepUnits() throws IOException {
    int removed = 0;
    for (int directory = 0; directory < 256; directory++) {
      for (long id : node.store().units().list(directory)) {
        if (new UnitSweeper(node.store()).isRemoved(id)) {
          removed++;
        }
      }
    }
    return removed;
  }

  private void removeRecord(String key) {
    ObjectName name = new ObjectName(KEY.bucket(), ObjectKey.of(key));
    commit(
        view -> new Decision.Write<>(new LogEntry.ObjectDeleted(name, view.nextVersion()), true));
  }

  private void commit(Change<Boolean> change) {
    value(
        node.store()
            .commit(change, dev.tarn.targetnode.store.Durability.SYSTEM)
            .toCompletableFuture()
            .join()
            .outcome());
  }

  private void removeUnits() {
    try {
      IndexEntry entry = node.store().index().find(KEY);
      if (entry != null && entry.entry() instanceof LogEntry.ObjectStored stored) {
        node.store().units().remove(stored.object());
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static StoreSettings openingOneFile() {
    return settings(1, StoreSettings.DEFAULT.reserveBytes());
  }

  private static StoreSettings withoutReserve() {
    return settings(StoreSettings.DEFAULT.openExtentsMax(), 0);
  }

  private static StoreSettings settings(int openExtentsMax, long reserveBytes) {
    StoreSettings like = StoreSettings.DEFAULT;
    return new StoreSettings(
        like.log(),
        like.inlineBytesMax(),
        like.indexCacheBytes(),
        openExtentsMax,
        like.pendingCommitsMax(),
        like.checkpointRecords(),
        reserveBytes,
        like.deadRatioMax(),
        like.ioErrorsMax(),
        like.uploadAgeMsMax(),
        like.cache());
  }

  /** The bytes that the units of the bucket have on the disk. */
  private long bytesOnDisk() {
    Map<BucketId, Long> bytes = node.store().residents().bytesOfBuckets();
    assertThat(bytes).containsOnlyKeys(KEY.bucket());
    return bytes.getOrDefault(KEY.bucket(), 0L);
  }

  /** The bytes of the units of an object of this size, each with its header and checksums. */
  private static long fileBytes(long sizeBytes) {
    long bytes = 0;
    for (long rest = sizeBytes; rest > 0; rest -= UNIT) {
      Unit unit = new Unit(KEY, "etag", "", Math.min(rest, UNIT), 0);
      bytes += Unit.fileBytes(Units.idOf(unit));
    }
    return bytes;
  }

  private void assertIsRead(String key, byte[] expected) {
    assertThat(Arrays.equals(value(calls.get(key)), expected)).as("bytes of " + key).isTrue();
  }

  /** Reads an object of the backend, and waits until its units have their names. */
  private byte[] cached(String key, int length) {
    byte[] bytes = there(key, length);
    long fetched = (long) node.cacheMeters().unitsFetched.count();
    assertIsRead(key, bytes);
    while ((long) node.cacheMeters().unitsFetched.count() - fetched < Unit.count(length)) {
      Thread.onSpinWait();
    }
    return bytes;
  }

  private byte[] there(String key, int length) {
    byte[] bytes = bytes(length, length);
    other.objects().put(key, bytes, Map.of());
    return bytes;
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }
}
