package dev.tarn.e2e.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.RetryPolicy;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.write.ShardWriter;
import dev.tarn.e2e.process.ClusterOfProcesses;
import dev.tarn.e2e.process.TarnProcess;
import dev.tarn.standalone.client.AdminClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** The Java client SDK and a cluster of processes: whose sockets the bytes of shards come from. */
@Timeout(300)
class DirectReadsTest {
  private static final int SAMPLES = 640;
  private static final int SAMPLE_BYTES = 100_000;
  private static final long DATASET_BYTES = (long) SAMPLES * SAMPLE_BYTES;

  @TempDir private Path folder;
  private final Map<String, byte[]> written = new HashMap<>();
  private ClusterOfProcesses cluster;

  @BeforeEach
  void writeADataset() throws IOException {
    cluster = new ClusterOfProcesses(folder, List.of("t1", "t2"));
    try (S3Client s3 = cluster.gateway().openS3Client()) {
      s3.createBucket(create -> create.bucket("data"));
    }
    Random random = new Random(3);
    try (ShardWriter writer =
        ShardWriter.builder("s3://data/shards")
            .storageOptions(options(true))
            .bytesMax(4 << 20)
            .build()) {
      for (int i = 0; i < SAMPLES; i++) {
        byte[] bytes = new byte[SAMPLE_BYTES];
        random.nextBytes(bytes);
        String key = "%06d".formatted(i);
        writer.write(key, Map.of("bin", bytes));
        written.put(key, bytes);
      }
      writer.commit();
    }
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  private StorageOptions options(boolean directReads) {
    return StorageOptions.builder()
        .endpoint(cluster.gateway().s3())
        .region("us-east-1")
        .credentials(AccessKeys.of(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY))
        .directReads(directReads)
        .retries(new RetryPolicy(50, Duration.ofMillis(100), Duration.ofSeconds(1)))
        .build();
  }

  /** Something that is done when this many samples were read. */
  private interface Halfway {
    void run() throws IOException;
  }

  private void readAll(boolean directReads, Halfway halfway) throws IOException {
    Map<String, byte[]> left = new HashMap<>(written);
    try (Storage storage = Storage.open(options(directReads));
        ShardDataset dataset =
            ShardDataset.builder()
                .storage(storage)
                .manifest("s3://data/shards")
                .memoryBudget(8 << 20)
                .build();
        SampleIterator samples = dataset.iterate(0)) {
      while (samples.hasNext()) {
        if (left.size() == SAMPLES / 2) {
          halfway.run();
        }
        Sample sample = samples.next();
        assertThat(sample.bytes("bin")).isEqualTo(left.remove(sample.key()));
      }
    }
    assertThat(left).isEmpty();
  }

  /** How many bytes the gateway has sent to clients. */
  private long sentByTheGateway() throws IOException {
    return metric(cluster.gateway(), "tarn_s3_sent_bytes_total");
  }

  /** How many bytes the targets have sent to clients, who have them before that is counted. */
  private long sentByTheTargets() throws IOException {
    long bytes = 0;
    for (String target : List.of("t1", "t2")) {
      while (metric(cluster.target(target), "tarn_direct_reads_in_flight") > 0) {
        Thread.onSpinWait();
      }
      bytes += metric(cluster.target(target), "tarn_direct_sent_bytes_total");
    }
    return bytes;
  }

  private static long metric(TarnProcess process, String name) throws IOException {
    URI metrics = process.admin().resolve("/metrics");
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofLines())
          .body()
          .filter(line -> line.startsWith(name))
          .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  @Test
  void shardsComeFromTheTargetsAndNotThroughTheGateway() throws IOException {
    long before = sentByTheGateway();
    readAll(true, () -> {});
    long direct = sentByTheGateway() - before;
    assertThat(sentByTheTargets()).isGreaterThan(DATASET_BYTES - DATASET_BYTES / 50);
    assertThat(metric(cluster.target("t1"), "tarn_direct_reads_seconds_count{outcome=\"served\"}"))
        .isPositive();
    readAll(false, () -> {});
    long throughTheGateway = sentByTheGateway() - before - direct;

    assertThat(throughTheGateway).isGreaterThanOrEqualTo(DATASET_BYTES);
    assertThat(direct).isLessThan(DATASET_BYTES / 50);
  }

  @Test
  void shardsComeOverTlsFromTargetsThatTakeTlsOnly() throws IOException {
    for (String target : List.of("t1", "t2")) {
      assertThat(cluster.target(target).stop()).isZero();
      cluster.startTarget(target, "cluster.tls=true");
    }
    AdminClient admin = ClusterOfProcesses.admin(cluster.gateway());
    while (admin.call("GET", "/cluster", null).encode().contains("\"tls\":false")) {
      Thread.onSpinWait();
    }
    long before = sentByTheGateway();

    readAll(true, () -> {});

    assertThat(sentByTheTargets()).isGreaterThan(DATASET_BYTES - DATASET_BYTES / 50);
    assertThat(sentByTheGateway() - before).isLessThan(DATASET_BYTES / 25);
  }

  @Test
  void epochGoesOnWhereTargetsAreKilledAndStartedAgain() throws IOException {
    readAll(
        true,
        () -> {
          for (String target : List.of("t1", "t2")) {
            cluster.target(target).kill();
            cluster.startTarget(target);
          }
        });
  }

  @Test
  void gatewayThatIsToldSoSendsNobodyToTheTargets() throws IOException {
    assertThat(cluster.gateway().stop()).isZero();
    cluster.startGateway(1, "cluster.direct-reads=false");
    long before = sentByTheGateway();

    readAll(true, () -> {});

    assertThat(sentByTheGateway() - before).isGreaterThanOrEqualTo(DATASET_BYTES);
  }
}
