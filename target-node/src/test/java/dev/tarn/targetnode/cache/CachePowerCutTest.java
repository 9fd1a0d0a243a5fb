package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.backend.OtherS3;
import dev.tarn.targetnode.local.Calls;
import dev.tarn.targetnode.local.LocalTarget;
import dev.tarn.targetnode.local.NodeDisk;
import dev.tarn.targetnode.local.NodeDisks;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.membership.FixedView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import dev.tarn.targetnode.store.memory.Chunks;
import dev.tarn.targetnode.store.memory.DirectBuffers;
import dev.tarn.targetnode.store.read.ObjectReader;
import dev.tarn.targetnode.store.write.BodyWriting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a loss of power does to the entries of a cached bucket that writes have replaced. */
final class CachePowerCutTest {
  private static final OtherS3 OTHER = OtherS3.start();
  private static final BucketId BUCKET = new BucketId(1);
  private static final byte[] FORMER = bytes(1, 5000);
  private static final byte[] NEWER = bytes(2, 6000);

  private final BackendSettings backend = OTHER.newBucket("data/");

  @AfterAll
  static void stop() throws IOException {
    OTHER.close();
  }

  static Stream<Freshness> freshness() {
    return Stream.of(Freshness.IMMUTABLE, Freshness.ttl(Duration.ofDays(1)), Freshness.REVALIDATE);
  }

  @ParameterizedTest
  @MethodSource("freshness")
  void overwrittenObjectDoesNotComeBack(Freshness freshness, @TempDir Path folder)
      throws IOException {
    SimulatedDisk disk = new SimulatedDisk(folder);
    try (Node node = new Node(disk, freshness)) {
      cacheDurably(node, "put");
      cacheDurably(node, "copied-to");
      cacheDurably(node, "completed");
      value(node.calls.put("put", NEWER));
      value(node.calls.copy("put", "copied-to"));
      String upload = value(node.calls.create("completed"));
      var part = value(node.calls.putPart("completed", upload, 1, NEWER));
      value(node.calls.complete("completed", upload, List.of(part)));
      node.crash();
    }
    try (Node next = new Node(disk.afterPowerCut(losingAll()), freshness)) {
      assertThat(value(next.calls.get("put"))).isEqualTo(NEWER);
      assertThat(value(next.calls.get("copied-to"))).isEqualTo(NEWER);
      assertThat(value(next.calls.get("completed"))).isEqualTo(NEWER);
    }
  }

  @ParameterizedTest
  @MethodSource("freshness")
  void deletedObjectDoesNotComeBack(Freshness freshness, @TempDir Path folder) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(folder);
    try (Node node = new Node(disk, freshness)) {
      cacheDurably(node, "key");
      value(node.calls.delete("key"));
      node.crash();
    }
    try (Node next = new Node(disk.afterPowerCut(losingAll()), freshness)) {
      assertThat(next.calls.get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    }
  }

  /** Puts an object, reads it into the cache, and makes its entry durable. */
  private static void cacheDurably(Node node, String key) {
    value(node.calls.put(key, FORMER));
    assertThat(value(node.calls.get(key))).isEqualTo(FORMER);
    node.store
        .commit(view -> new Decision.Nothing<>(true), Durability.DEVICE)
        .toCompletableFuture()
        .join();
  }

  /** A loss of power that loses everything that was not synced. */
  private static Random losingAll() {
    long seed = 0;
    while (new Random(seed).nextInt(3) != 0) {
      seed++;
    }
    return new Random(seed);
  }

  private static byte[] bytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  /** A target of cached buckets over one simulated disk. */
  private final class Node implements AutoCloseable {
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Backends backends = Backends.overS3(BackendLimits.DEFAULT);
    private final DiskStore store;
    private final Calls calls;

    Node(SimulatedDisk disk, Freshness freshness) throws IOException {
      store = DiskStore.open(disk, StoreSettings.DEFAULT, Clock.systemUTC(), () -> 0);
      BucketSettings settings =
          new BucketSettings(
              BucketSettings.Durability.OS,
              BucketSettings.Verify.SCRUB,
              Optional.of(backend),
              freshness,
              false);
      CallJudge judge =
          new CallJudge(
              new FixedView(0, 0, bucket -> FixedView.bucket(bucket, settings, Versioning.OFF, 0)));
      NodeDisks disks = new NodeDisks(List.of(new NodeDisk.Opened(store)));
      ObjectReader reader = new ObjectReader(new DirectBuffers(1 << 20), threads);
      BodyWriting writing = new BodyWriting(new Chunks(8), threads);
      calls =
          new Calls(
              new CachingTarget(
                  new LocalTarget(judge, disks, reader, writing, 1000),
                  judge,
                  backends,
                  disks,
                  new CacheFigures(),
                  reader.buffers(),
                  Clock.systemUTC(),
                  threads),
              BUCKET);
    }

    /** Makes nothing more durable. */
    void crash() {
      store.health().takeOut("crash of a test");
    }

    @Override
    public void close() throws IOException {
      threads.close();
      backends.close();
      store.close();
    }
  }
}
