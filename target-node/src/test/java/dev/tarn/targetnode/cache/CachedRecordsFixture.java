package dev.tarn.targetnode.cache;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.fixtures.s3.Dialect;
import dev.tarn.fixtures.s3.SmallS3;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.store.CacheSettings;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.Disk;
import dev.tarn.targetnode.store.log.LogSettings;
import dev.tarn.targetnode.store.residents.Ticks;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A backend, and what nodes need that cache small objects of it on a small disk. */
final class CachedRecordsFixture implements AutoCloseable {
  static final int RESERVE = 256 << 10;

  private final SmallS3 other = SmallS3.start(Dialect.MINIO);
  private final BackendSettings settings = GatedBackend.settings(other);
  private final GatedBackend backend = GatedBackend.of(settings);

  /** The time of the cache, in ticks. */
  private final AtomicInteger now = new AtomicInteger();

  GatedBackend backend() {
    return backend;
  }

  /** Puts an object into the backend, past the nodes. */
  void put(String key, byte[] bytes) {
    backend.put(
        ObjectKey.of(key),
        ObjectAttributes.NONE,
        new ByteArrayInputStream(bytes),
        bytes.length,
        Preconditions.NONE);
  }

  /** So much time passes for the cache. */
  void pass(Duration time) {
    now.addAndGet(Ticks.of(time));
  }

  /** Opens a disk whose segments are small. Entries of the cache are believed. */
  CachingNode open(Disk disk, CacheSettings.Policy policy) throws IOException {
    StoreSettings store =
        new StoreSettings(
            new LogSettings(64 << 10, 64 << 10, 64),
            8 << 10,
            8 << 20,
            8,
            1000,
            40,
            RESERVE,
            0.15,
            3,
            1000L * 3600,
            CacheSettings.DEFAULT.with(policy, 0));
    return new CachingNode(
        disk,
        store,
        new Backends(any -> backend),
        BucketSettings.PRIMARY
            .with(BucketSettings.Durability.OS)
            .withBackend(Optional.of(settings))
            .with(Freshness.IMMUTABLE),
        InstantSource.system(),
        now::get);
  }

  @Override
  public void close() throws IOException {
    backend.close();
    other.close();
  }
}
