package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.target.Selection;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches of units: in which order, how far ahead, and what their readers see. */
final class UnitFetchesTest {
  private static final int UNIT = 8 << 20;

  private final SmallS3 other = SmallS3.start(Dialect.R2); // It keeps no versions.
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);
  private final CachingNode node;
  private final Calls calls;

  UnitFetchesTest(@TempDir Path folder) throws IOException {
    node =
        new CachingNode(
            new SimulatedDisk(folder),
            StoreSettings.DEFAULT,
            new Backends(any -> backend),
            BucketSettings.PRIMARY
                .with(Durability.OS)
                .withBackend(Optional.of(settings))
                .with(Freshness.IMMUTABLE));
    calls = node.calls();
  }

  @AfterEach
  void close() throws IOException {
    node.close();
    backend.close();
    other.close();
  }

  @Test
  void readerInOrderHasTheNextUnitsFetchedAhead() throws Exception {
    byte[] bytes = there("key", 8 * UNIT);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      while (backend.rangesRead().size() < 7) {
        Thread.onSpinWait(); // The reader stalls.
      }
      node.awaitFetches();
      assertThat(backend.rangesRead()).hasSize(7);

      assertThat(reader.readToEnd()).isEqualTo(bytes.length - UNIT + 1);
    }
    assertThat(backend.rangesRead()).hasSize(9).doesNotHaveDuplicates();
  }

  /** The bytes of the unit before the range come afterwards, and all are kept. */
  @Test
  void longRangeOfAColdUnitIsAnsweredBeforeTheBytesBeforeIt() throws Exception {
    byte[] bytes = there("key", UNIT + 5);
    int begin = (5 << 20) + 10;
    CountDownLatch latch = new CountDownLatch(1);
    backend.hold(4 << 20, latch); // The range has 3 MiB, and 5 MiB come before it.

    assertThat(value(calls.get("key", new Selection.Range(begin, UNIT - 1))))
        .isEqualTo(Arrays.copyOfRange(bytes, begin, UNIT));

    backend.awaitHeld();
    try (StreamReader follower = StreamReader.of(calls, "key", Selection.WHOLE)) {
      assertThat(follower.next()).isEqualTo(bytes[0]);
      backend.release();
      latch.countDown();
      assertThat(follower.readToEnd()).isEqualTo(bytes.length);
      assertThat(follower.crc32c()).isEqualTo(crc32c(bytes, 0, bytes.length));
    }
    node.awaitFetches();
    assertIsRead("key", bytes);
    assertThat(backend.rangesRead()).containsExactly(5L << 20, 0L, (long) UNIT);
    assertThat(node.scrub().corruptCount()).isZero();
  }

  @Test
  void unitThatEndsWithinABlockIsWholeWhenItsEndWasFetchedFirst() throws IOException {
    byte[] bytes = there("key", (5 << 20) + 600_000);
    value(calls.get("key", new Selection.Range(5 << 20, bytes.length - 1)));
    node.awaitFetches();

    assertThat(backend.rangesRead()).containsExactly(5L << 20, 0L);
    assertThat(node.scrub().corruptCount()).isZero();
    assertIsRead("key", bytes);
    assertThat(backend.rangesRead()).hasSize(2);
  }

  private static long crc32c(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return crc.getValue();
  }

  /** Units that were fetched ahead of the change are still read; the next one is refused. */
  @Test
  void readOfAnObjectThatChangesBetweenUnitsEndsAndNeverMixesTheTwo() throws Exception {
    byte[] before = there("key", 8 * UNIT);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      while (backend.rangesRead().size() < 7) {
        Thread.onSpinWait();
      }
      node.awaitFetches();
      other.objects().put("key", bytes(77, 8 * UNIT), Map.of());

      assertThatThrownBy(reader::readToEnd).isInstanceOf(ExecutionException.class);
      assertThat(reader.count()).isGreaterThanOrEqualTo(4L * UNIT + 1);
      assertThat(reader.crc32c()).isEqualTo(crc32c(before, UNIT - 1, (int) reader.count()));
    }
  }

  @Test
  void readerHasWhatArrivedBeforeItsFetchFailed() throws Exception {
    byte[] bytes = there("key", UNIT);
    int begin = 5 << 20;
    backend.failOnce(0);
    try (StreamReader reader =
        StreamReader.of(calls, "key", new Selection.Range(begin, UNIT - 1))) {
      reader.next();
      node.awaitFetches();
      assertThat(reader.readToEnd()).isEqualTo(UNIT - begin);
    }
    assertIsRead("key", bytes);
  }

  @Test
  void whatIsFetchedAheadOfAReaderThatLeavesIsGivenUp() throws Exception {
    byte[] bytes = there("key", 8 * UNIT);
    value(calls.get("key", new Selection.Range(0, UNIT - 1)));
    CountDownLatch latch = new CountDownLatch(1);
    backend.hold(1 << 20, latch);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      while (backend.rangesRead().size() < 6) {
        Thread.onSpinWait();
      }
    }
    int heldFetches = 5;
    node.awaitTasks(heldFetches);
    backend.release();
    latch.countDown();
    node.awaitTasks(0);

    assertThat((long) node.cacheMeters().unitsFetched.count()).isEqualTo(2);
    assertIsRead("key", bytes);
    assertThat(backend.rangesRead()).hasSize(12);
  }

  private StreamReader readFromTheLastByteOfTheFirstUnit() throws Exception {
    StreamReader reader =
        StreamReader.of(calls, "key", new Selection.Range(UNIT - 1, 8L * UNIT - 1));
    reader.next();
    return reader;
  }

  private void assertIsRead(String key, byte[] expected) {
    assertThat(Arrays.equals(value(calls.get(key)), expected)).isTrue();
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
