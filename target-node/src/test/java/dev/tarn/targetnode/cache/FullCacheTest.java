package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.BucketSettings.Durability;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.targetnode.TargetNode;
import dev.tarn.targetnode.TargetNodeConfig;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.backend.OtherS3;
import dev.tarn.targetnode.backend.S3Backend;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.StoreSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads of a cached bucket while no disk has room beyond its reserve. */
class FullCacheTest {
  private static final OtherS3 OTHER = OtherS3.start();
  private static final int UNIT = 8 << 20;

  private final BackendSettings settings = OTHER.newBucket("data/");
  private final GatedBackend backend =
      new GatedBackend(S3Backend.open(settings, BackendLimits.DEFAULT));
  private final TargetNode node;
  private final Calls calls;

  FullCacheTest(@TempDir Path folder) throws IOException {
    node =
        TargetNode.open(
            full(TargetNodeConfig.of(folder)),
            new FixedView(
                0, 0, bucket -> FixedView.bucket(bucket, bucketSettings(), Versioning.OFF, 0)),
            new Backends(any -> backend));
    calls = new Calls(node.target(), new BucketId(1));
  }

  private BucketSettings bucketSettings() {
    return BucketSettings.PRIMARY
        .with(Durability.OS)
        .withBackend(Optional.of(settings))
        .with(Freshness.IMMUTABLE);
  }

  /** The configuration with a reserve that is larger than any disk. */
  private static TargetNodeConfig full(TargetNodeConfig config) {
    StoreSettings store = config.store();
    return new TargetNodeConfig(
        config.dataDirectory(),
        config.disks(),
        new StoreSettings(
            store.log(),
            store.inlineBytesMax(),
            store.indexCacheBytes(),
            store.openExtentsMax(),
            store.pendingCommitsMax(),
            store.checkpointRecords(),
            Long.MAX_VALUE,
            store.deadRatioMax(),
            store.ioErrorsMax(),
            store.uploadAgeMsMax(),
            store.cache()),
        config.workerThreads(),
        config.workerQueueMax(),
        config.incomingChunksMax(),
        config.outgoingBytesKept(),
        config.scrubBytesPerSecond());
  }

  @AfterEach
  void close() throws IOException {
    node.close();
  }

  @AfterAll
  static void stop() throws IOException {
    OTHER.close();
  }

  @Test
  void eachUnitOfALargeObjectIsFetchedOnce() {
    byte[] bytes = there("large", 2 * UNIT + 1000);

    assertThat(Arrays.equals(value(calls.get("large")), bytes)).isTrue();
    assertThat(backend.rangesRead()).containsExactly(0L, (long) UNIT, 2L * UNIT);
    assertThat((long) node.cacheMeters().fetchedBytes.count()).isEqualTo(bytes.length);
  }

  /** The backend answers with the next unit while the reader is still in the one before. */
  @Test
  void readerInOrderHasTheNextUnitOpenedAhead() throws Exception {
    byte[] bytes = there("large", 4 * UNIT);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      while (backend.rangesRead().size() < 3) {
        Thread.onSpinWait(); // The reader stalls.
      }
      assertThat(backend.rangesRead()).containsExactly(UNIT - 1L, (long) UNIT, 2L * UNIT);

      assertThat(reader.readToEnd()).isEqualTo(bytes.length - UNIT + 1);
    }
    assertThat(backend.rangesRead()).hasSize(4).doesNotHaveDuplicates();
  }

  @Test
  void unitThatCouldNotBeOpenedAheadIsOpenedWhenItsReaderComes() throws Exception {
    byte[] bytes = there("large", 4 * UNIT);
    backend.failOnce(2L * UNIT);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      while (backend.rangesRead().size() < 3) {
        Thread.onSpinWait();
      }
      assertThat(reader.readToEnd()).isEqualTo(bytes.length - UNIT + 1);
    }
    assertThat(backend.rangesRead())
        .containsExactly(UNIT - 1L, (long) UNIT, 2L * UNIT, 2L * UNIT, 3L * UNIT);
  }

  @Test
  void readerThatWaitsForAUnitThatCannotBeOpenedAheadOpensItItself() throws Exception {
    byte[] bytes = there("large", 4 * UNIT);
    CountDownLatch failing = new CountDownLatch(1);
    backend.failOnce(2L * UNIT, failing);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      while (backend.rangesRead().size() < 3) {
        Thread.onSpinWait(); // The unit is being opened ahead, and waits to fail.
      }
      Thread releasing =
          Thread.ofVirtual()
              .start(() -> {
                while (reader.count() < UNIT + 1) {
                  Thread.onSpinWait(); // The reader then comes to the unit that waits to fail.
                }
                failing.countDown();
              });
      assertThat(reader.readToEnd()).isEqualTo(bytes.length - UNIT + 1);
      releasing.join();
    }
  }

  @Test
  void unitOfAReaderThatLeavesIsNotKeptOpen() throws Exception {
    there("large", 4 * UNIT);
    try (StreamReader reader = readFromTheLastByteOfTheFirstUnit()) {
      reader.ask();
      int openedInOrder = 2;
      while (backend.open() < openedInOrder) {
        Thread.onSpinWait();
      }
    }
    while (backend.open() > 0) {
      Thread.onSpinWait();
    }
  }

  private StreamReader readFromTheLastByteOfTheFirstUnit() throws Exception {
    StreamReader reader =
        StreamReader.of(calls, "large", new Selection.Range(UNIT - 1, 4L * UNIT - 1));
    reader.next();
    return reader;
  }

  @Test
  void cachedRecordsAreReadAndNotKept() throws IOException {
    byte[] bytes = there("small", 5000);
    there("empty", 0);

    assertThat(value(calls.get("small"))).isEqualTo(bytes);
    assertThat(value(calls.get("small"))).isEqualTo(bytes);
    assertThat(value(calls.get("empty"))).isEmpty();
    assertThat(backend.rangesRead()).containsExactly(0L, 0L);
    assertThat(node.usage()).isEmpty();
  }

  private byte[] there(String key, int length) {
    byte[] bytes = new byte[length];
    new Random(length).nextBytes(bytes);
    backend.put(
        ObjectKey.of(key),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(bytes),
        length,
        Preconditions.NONE);
    return bytes;
  }
}
