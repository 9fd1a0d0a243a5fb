package dev.tarn.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tarn.client.storage.FaultyServer;
import dev.tarn.client.storage.FaultyServer.Fault;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DatasetFaultsTest {
  private static final int SHARDS = 4;
  private static final int SAMPLES = 100;

  private FaultyServer server;
  private Storage storage;
  private String spec;

  @BeforeEach
  void serve() throws IOException {
    server = new FaultyServer();
    for (int i = 0; i < SHARDS; i++) {
      server.put("/d/%d.tar".formatted(i), Shards.tar(i, SAMPLES, 20_000));
    }
    spec = server.url("/d/{0..3}.tar");
    RetryPolicy retries = new RetryPolicy(4, Duration.ofMillis(1), Duration.ofMillis(1));
    storage = Storage.open(StorageOptions.builder().retries(retries).build());
  }

  @AfterEach
  void stop() {
    storage.close();
    server.close();
  }

  @Test
  void epochSurvivesErrorsAndBrokenConnections() throws IOException {
    for (int i = 1; i <= 10; i++) {
      server.failNext(Fault.status(500));
      server.failNext(Fault.cutAfter(30_000 * i));
    }
    assertThat(Shards.keys(dataset(1).build(), 0)).hasSize(SHARDS * SAMPLES);
  }

  @Test
  void shardCutShortByAServerWithoutEtagsIsAnErrorThatNamesIt() throws IOException {
    server.withoutEtags();
    server.failNext(Fault.cutAfter(100_000));
    assertThatThrownBy(() -> Shards.keys(dataset(1).build(), 0))
        .isInstanceOfSatisfying(
            DatasetException.class,
            e -> assertThat(e.shard()).isEqualTo(StorageUrl.parse(server.url("/d/0.tar"))))
        .hasMessageContaining("broke off at byte 100000");
  }

  @Test
  void missingShardIsNamed() throws IOException {
    assertThatThrownBy(() -> Shards.keys(builder().shards(server.url("/d/{3..4}.tar")).build(), 0))
        .isInstanceOf(DatasetException.class)
        .hasMessageContaining("/d/4.tar at byte 0: no such object");
  }

  @Test
  void slowConsumerHoldsNoMoreThanTheBudget() throws Exception {
    long budget = 512 * 1024;
    try (ShardDataset dataset = dataset(4).memoryBudget(budget).build();
        SampleIterator samples = dataset.iterate(0)) {
      OpenEpoch.Samples epoch = (OpenEpoch.Samples) samples;
      while (samples.hasNext()) {
        samples.next();
        assertThat(epoch.usedBytes()).isLessThanOrEqualTo(budget);
      }
    }
  }

  @Test
  void closeEndsAReadThatWaitsForAStalledServer() throws Exception {
    CountDownLatch stalled = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    server.failNext((exchange, content) -> {
      exchange.sendResponseHeaders(200, content.length);
      exchange.getResponseBody().write(content, 0, 1000);
      exchange.getResponseBody().flush();
      stalled.countDown();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return true;
    });
    try (ShardDataset dataset = dataset(1).build()) {
      SampleIterator samples = dataset.iterate(0);
      stalled.await();
      Thread closer = new Thread(samples::close);
      closer.start();
      assertThatThrownBy(samples::hasNext).hasMessageContaining("closed");
      closer.join();
    } finally {
      release.countDown();
    }
    assertThat(prefetchThreads()).isEmpty();
  }

  private DatasetBuilder dataset(int connections) {
    return builder().shards(spec).connections(connections);
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder().storage(storage);
  }

  private static List<String> prefetchThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("tarn-prefetch"))
        .toList();
  }

  @Test
  void secretsOfAnAddressAreNotInMessages() throws IOException {
    String url = "http://someone:password@127.0.0.1:1/a.tar?X-Amz-Signature=secret";
    StorageOptions once =
        StorageOptions.builder()
            .retries(new RetryPolicy(1, Duration.ofMillis(1), Duration.ofMillis(1)))
            .build();
    try (ShardDataset dataset =
            ShardDataset.builder().storageOptions(once).rank(0, 1).shards(List.of(url)).build();
        SampleIterator samples = dataset.iterate(0)) {
      assertThatThrownBy(samples::next)
          .hasMessageContaining("http://127.0.0.1:1/a.tar")
          .hasMessageNotContainingAny("secret", "password");
    }
  }
}
