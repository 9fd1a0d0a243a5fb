package dev.tarn.targetnode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.target.Selection;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.residents.Leaving;
import dev.tarn.targetnode.store.residents.Resident;
import dev.tarn.targetnode.store.residents.Ticks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A read that takes long is one reference to each unit, although units are fetched ahead of it. */
class SlowReadsTest {
  private static final int UNIT = 8 << 20;
  private static final int UNITS = 10;

  @TempDir private Path folder;
  private final SmallS3 other = SmallS3.start(Dialect.R2);
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);
  private final AtomicInteger now = new AtomicInteger();

  @BeforeEach
  void putTheObject() {
    other.objects().put("key", new byte[UNITS * UNIT], Map.of());
  }

  @AfterEach
  void close() throws IOException {
    backend.close();
    other.close();
  }

  @Test
  void unitsThatAreKeptWereReferencedOnce() throws Exception {
    try (CachingNode node = open(0)) {
      readSlowly(node);

      for (int i = 0; i < UNITS; i++) {
        Resident resident = node.store().residents().takeLeast().orElseThrow();
        assertThat(resident.use().intervals()).isZero();
      }
    }
  }

  @Test
  void verifiedUnitsWereReferencedOnceByEachRead() throws Exception {
    try (CachingNode node = open(0, BucketSettings.Verify.ALWAYS)) {
      readSlowly(node);
      now.addAndGet(Ticks.of(Duration.ofMinutes(20)));
      readSlowly(node);

      for (int i = 0; i < UNITS; i++) {
        Resident resident = node.store().residents().takeLeast().orElseThrow();
        assertThat(resident.use().intervals()).isEqualTo(1);
      }
    }
  }

  @Test
  void slowEpochsKeepWhatTheyHave() throws Exception {
    try (CachingNode node = open(3L * (UNIT + (8 << 10)))) {
      for (int epoch = 0; epoch < 3; epoch++) {
        readSlowly(node);
        now.addAndGet(Ticks.of(Duration.ofMinutes(20)));
      }

      assertThat(node.store().residents().count()).isEqualTo(3);
      assertThat(node.store().left().of(Leaving.FOR_BETTER)).isZero();
    }
  }

  private CachingNode open(long bytesMax) throws IOException {
    return open(bytesMax, BucketSettings.Verify.SCRUB);
  }

  private CachingNode open(long bytesMax, BucketSettings.Verify verify) throws IOException {
    StoreSettings store = StoreSettings.DEFAULT;
    return new CachingNode(
        new SimulatedDisk(folder),
        new StoreSettings(
            store.log(),
            store.inlineBytesMax(),
            store.indexCacheBytes(),
            store.openExtentsMax(),
            store.pendingCommitsMax(),
            store.checkpointRecords(),
            store.reserveBytes(),
            store.deadRatioMax(),
            store.ioErrorsMax(),
            store.uploadAgeMsMax(),
            CacheSettings.DEFAULT.with(CacheSettings.Policy.TENURE, bytesMax)),
        new Backends(any -> backend),
        BucketSettings.PRIMARY
            .with(BucketSettings.Durability.OS)
            .with(verify)
            .withBackend(Optional.of(settings))
            .with(Freshness.IMMUTABLE),
        InstantSource.system(),
        now::get);
  }

  /** Takes a minute for each unit. */
  private void readSlowly(CachingNode node) throws Exception {
    try (StreamReader reader = StreamReader.of(node.calls(), "key", Selection.WHOLE)) {
      while (reader.count() < UNITS * UNIT) {
        long before = reader.count();
        reader.ask();
        while (reader.count() == before) {
          Thread.onSpinWait();
        }
        if (before / UNIT < reader.count() / UNIT) {
          now.addAndGet(Ticks.of(Duration.ofMinutes(1)));
        }
      }
      reader.readToEnd();
    }
    node.awaitFetches();
  }
}
