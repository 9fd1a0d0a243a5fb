package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.FaultyServer.Fault;
import dev.tarn.client.storage.MemoryStorage;
import dev.tarn.client.storage.Pacing;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Epochs of servers that fail: each is complete, or ends with an error that names the shard; over
 * http, where a shard is one stream, and over S3, where it is several ranges.
 */
final class EpochFaultsTest {
  private static final StorageUrl FOLDER = StorageUrl.parse("memory://test/d");
  private static final int SHARDS = 8;
  private static final int SAMPLES = 50;
  private static final int ATTEMPTS_MAX = 5;

  enum Door {
    HTTP {
      @Override
      String folder(FaultyServer server) {
        return server.url("/bucket/d");
      }
    },
    S3 {
      @Override
      String folder(FaultyServer server) {
        return "s3://bucket/d";
      }
    };

    abstract String folder(FaultyServer server);
  }

  private final Object outage = new Object();
  private boolean isDown;
  private FaultyServer server;
  private Storage storage;

  @BeforeEach
  void serve() throws IOException {
    server = new FaultyServer();
    MemoryStorage memory = new MemoryStorage();
    Shards.dataset(memory, FOLDER, SHARDS, SAMPLES, 20_000);
    for (StoredObject object : memory.list(FOLDER).toList()) {
      server.put(
          "/bucket/d/" + object.url().nameUnder(FOLDER), memory.readAll(object.url(), 1 << 30));
    }
    storage = open(Duration.ofSeconds(30));
  }

  @AfterEach
  void stop() {
    storage.close();
    server.close();
  }

  /** A storage whose first wait for another attempt is when a server that is down comes back. */
  private Storage open(Duration idleTimeout) {
    Pacing pacing =
        new Pacing() {
          @Override
          public void pause(Duration duration) {
            synchronized (outage) {
              if (isDown) {
                isDown = false;
                restart();
              }
            }
          }

          @Override
          public double jitter() {
            return 0;
          }
        };
    return Storage.open(
        StorageOptions.builder()
            .endpoint(URI.create(server.url("")))
            .region("us-east-1")
            .anonymous(true)
            .idleTimeout(idleTimeout)
            .retries(new RetryPolicy(ATTEMPTS_MAX, Duration.ofMillis(1), Duration.ofMillis(1)))
            .pacing(pacing)
            .build());
  }

  private void restart() {
    try {
      server.restart();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DatasetBuilder dataset(Door door) {
    return ShardDataset.builder()
        .storage(storage)
        .manifest(door.folder(server))
        .memoryBudget(512 * 1024);
  }

  private static List<String> take(SampleIterator samples, int count) {
    List<String> keys = new ArrayList<>();
    while (keys.size() < count && samples.hasNext()) {
      keys.add(samples.next().key());
    }
    return keys;
  }

  @ParameterizedTest
  @EnumSource
  void serverThatIsKilledAndComesBackCostsAnEpochNothing(Door door) throws IOException {
    try (ShardDataset dataset = dataset(door).shuffle(Shuffle.SHARDS).build();
        SampleIterator samples = dataset.iterate(0)) {
      List<String> keys = take(samples, 60);
      synchronized (outage) {
        server.kill();
        isDown = true;
      }
      keys.addAll(take(samples, Integer.MAX_VALUE));

      assertThat(isDown).isFalse();
      assertThat(keys).hasSize(SHARDS * SAMPLES).doesNotHaveDuplicates();
    }
  }

  @ParameterizedTest
  @EnumSource
  void serverThatStaysAwayIsAnErrorThatNamesTheShard(Door door) throws IOException {
    try (ShardDataset dataset = dataset(door).build();
        SampleIterator samples = dataset.iterate(0)) {
      List<String> keys = take(samples, 60);
      server.kill();

      assertThatThrownBy(() -> keys.addAll(take(samples, Integer.MAX_VALUE)))
          .isInstanceOf(DatasetException.class)
          .hasMessageMatching(
              "(?s)shard \\S+/bucket/d/shard-\\d+\\.tar at byte .*|"
                  + "shard s3://bucket/d/shard-\\d+\\.tar at byte .*")
          .hasMessageContaining("given up after %d attempts".formatted(ATTEMPTS_MAX));
      assertThat(samples.hasNext()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void oneOfTwentyRequestsThatFailsCostsAnEpochNothing(Door door) throws IOException {
    Random random = new Random(7);
    int faults = 0;
    for (int request = 0; request < 1_000; request++) {
      boolean fails = random.nextInt(20) == 0;
      faults += fails ? 1 : 0;
      Fault fault =
          switch (random.nextInt(4)) {
            case 0 -> Fault.status(500);
            case 1 -> Fault.status(503);
            case 2 -> Fault.hangUp();
            default -> Fault.cutAfter(random.nextInt(5_000));
          };
      server.failNext(fails ? fault : Fault.none());
    }
    try (ShardDataset dataset = dataset(door).shuffle(Shuffle.FULL).build()) {
      for (int epoch = 0; server.faultsLeft() > 0; epoch++) {
        assertThat(Shards.keys(dataset, epoch)).hasSize(SHARDS * SAMPLES).doesNotHaveDuplicates();
      }
    }
    assertThat(faults).isBetween(30, 70);
  }

  @ParameterizedTest
  @EnumSource
  void bytesThatTrickleAreWaitedFor(Door door) throws IOException {
    for (int answer = 0; answer < 30; answer++) {
      server.failNext(Fault.trickle(997));
    }
    try (ShardDataset dataset = dataset(door).build()) {
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void serverThatFallsSilentIsAskedAgain(Door door) throws IOException {
    CountDownLatch over = new CountDownLatch(1);
    storage.close();
    storage = open(Duration.ofMillis(200));
    try (ShardDataset dataset = dataset(door).build()) {
      server.failNext((exchange, content) -> {
        try {
          over.await();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
        return true;
      });
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    } finally {
      over.countDown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersThatPromiseMoreThanComesAreContinued(Door door) throws IOException {
    try (ShardDataset dataset = dataset(door).build()) {
      for (int answer = 0; answer < 40; answer++) {
        server.failNext(Fault.cutAfter(10_000 + answer));
      }
      assertThat(Shards.keys(dataset, 0)).hasSize(SHARDS * SAMPLES);
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersThatNeverBringAnythingAreAnError(Door door) throws IOException {
    try (ShardDataset dataset = dataset(door).verify(false).build()) {
      for (int answer = 0; answer < 100; answer++) {
        server.failNext(Fault.cutAfter(0));
      }
      assertThatThrownBy(() -> Shards.keys(dataset, 0))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("shard-000000.tar at byte 0")
          .hasMessageContaining("given up after %d attempts".formatted(ATTEMPTS_MAX));
    }
  }

  @ParameterizedTest
  @EnumSource
  void answersThatPromiseLessThanTheShardHasAreAnError(Door door) throws IOException {
    try (ShardDataset dataset = dataset(door).verify(false).build()) {
      for (int answer = 0; answer < 100; answer++) {
        server.failNext(Fault.announcing(40_000));
      }
      assertThatThrownBy(() -> Shards.keys(dataset, 0))
          .isInstanceOf(DatasetException.class)
          .hasMessageContaining("shard-000000.tar at byte 0")
          .hasMessageContaining("40000 bytes long, the manifest says");
    }
  }

  @ParameterizedTest
  @EnumSource
  void shardThatIsReplacedUnderWayIsAnErrorAndNoMix(Door door) throws IOException {
    String url = door.folder(server) + "/shard-000000.tar";
    byte[] before = Shards.tar(0, 400, 20_000);
    byte[] after = before.clone();
    after[after.length - 1] ^= 1;
    server.put("/bucket/d/shard-000000.tar", before);
    server.failNext(Fault.cutAfter(100_000));
    server.failNext(Fault.cutAfter(100_000));
    List<String> keys = new ArrayList<>();
    try (ShardDataset dataset =
            ShardDataset.builder()
                .storage(storage)
                .shards(url)
                .memoryBudget(512 * 1024)
                .connections(1)
                .build();
        SampleIterator samples = dataset.iterate(0)) {
      keys.addAll(take(samples, 2));
      server.put("/bucket/d/shard-000000.tar", after);

      assertThatThrownBy(() -> keys.addAll(take(samples, Integer.MAX_VALUE)))
          .isInstanceOfSatisfying(
              DatasetException.class,
              e -> {
                assertThat(e.shard()).isEqualTo(StorageUrl.parse(url));
                assertThat(e.getCause())
                    .isInstanceOfSatisfying(
                        StorageException.class,
                        cause -> assertThat(cause.kind()).isEqualTo(Kind.CHANGED));
              })
          .hasMessageContaining("replaced");
    }
  }
}
