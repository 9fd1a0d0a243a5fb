package dev.tarn.targetnode.cache;

import static dev.tarn.targetnode.local.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Freshness;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.targetnode.backend.BackendLimits;
import dev.tarn.targetnode.backend.Backends;
import dev.tarn.targetnode.backend.OtherS3;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.StoreSettings;
import dev.tarn.targetnode.store.disk.SimulatedDisk;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a loss of power does to the entries of a cached bucket that writes have replaced. */
final class CachePowerCutTest {
  private static final OtherS3 OTHER = OtherS3.start();
  private static final byte[] FORMER = bytes(1, 5000);
  private static final byte[] NEWER = bytes(2, 6000);

  private final BackendSettings backend = OTHER.newBucket("data/");
  private final Backends backends =
      Backends.overS3(BackendLimits.DEFAULT, new SimpleMeterRegistry());

  @AfterEach
  void close() {
    backends.close();
  }

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
    try (CachingNode node = node(disk, freshness)) {
      cacheDurably(node, "put");
      cacheDurably(node, "copied-to");
      cacheDurably(node, "completed");
      value(node.calls().put("put", NEWER));
      value(node.calls().copy("put", "copied-to"));
      String upload = value(node.calls().create("completed"));
      var part = value(node.calls().putPart("completed", upload, 1, NEWER));
      value(node.calls().complete("completed", upload, List.of(part)));
      node.crash();
    }
    try (CachingNode next = node(disk.afterPowerCut(losingAll()), freshness)) {
      assertThat(value(next.calls().get("put"))).isEqualTo(NEWER);
      assertThat(value(next.calls().get("copied-to"))).isEqualTo(NEWER);
      assertThat(value(next.calls().get("completed"))).isEqualTo(NEWER);
    }
  }

  @ParameterizedTest
  @MethodSource("freshness")
  void deletedObjectDoesNotComeBack(Freshness freshness, @TempDir Path folder) throws IOException {
    SimulatedDisk disk = new SimulatedDisk(folder);
    try (CachingNode node = node(disk, freshness)) {
      cacheDurably(node, "key");
      value(node.calls().delete("key"));
      node.crash();
    }
    try (CachingNode next = node(disk.afterPowerCut(losingAll()), freshness)) {
      assertThat(next.calls().get("key")).isEqualTo(Outcome.failed(new Failure.NoSuchKey()));
    }
  }

  /** Puts an object, reads it into the cache, and makes its entry durable. */
  private static void cacheDurably(CachingNode node, String key) {
    value(node.calls().put(key, FORMER));
    assertThat(value(node.calls().get(key))).isEqualTo(FORMER);
    node.store()
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

  private CachingNode node(SimulatedDisk disk, Freshness freshness) throws IOException {
    return new CachingNode(
        disk,
        StoreSettings.DEFAULT,
        backends,
        BucketSettings.PRIMARY
            .with(BucketSettings.Durability.OS)
            .withBackend(Optional.of(backend))
            .with(freshness));
  }
}
