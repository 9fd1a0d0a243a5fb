package dev.tarn.e2e.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.Checkpoint;
import dev.tarn.client.DatasetBuilder;
import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.metrics.EpochListener;
import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.ShardWriter;
import dev.tarn.e2e.process.CachedBuckets;
import dev.tarn.e2e.process.ClusterOfProcesses;
import dev.tarn.e2e.process.TarnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** Epochs of a dataset in a cached bucket while every process of Tarn is killed. */
@Timeout(300)
final class LostTarnTest {
  private static final List<String> TARGETS = List.of("t1", "t2");
  private static final int SAMPLES = 400;
  private static final int SAMPLE_BYTES = 50_000;

  @TempDir private Path folder;

  private final CountDownLatch back = new CountDownLatch(1);
  private final AtomicInteger outages = new AtomicInteger();
  private final AtomicInteger originReads = new AtomicInteger();
  private TarnProcess origin;
  private ClusterOfProcesses tarn;

  /** Notes where reads go. */
  private final class Reads implements EpochListener {
    @Override
    public void originBegun(StorageException cause) {
      outages.incrementAndGet();
    }

    @Override
    public void originRead(StorageUrl url) {
      originReads.incrementAndGet();
    }

    @Override
    public void originEnded(Duration lasted) {
      back.countDown();
    }
  }

  @BeforeEach
  void start() throws Exception {
    origin = TarnProcess.start(Files.createDirectory(folder.resolve("origin")));
    try (S3Client s3 = origin.openS3Client()) {
      s3.createBucket(bucket -> bucket.bucket("data"));
    }
    Random random = new Random(3);
    try (ShardWriter writer =
        ShardWriter.builder("s3://data/train")
            .storageOptions(options(origin))
            .bytesMax(2 << 20)
            .build()) {
      for (int i = 0; i < SAMPLES; i++) {
        byte[] bytes = new byte[SAMPLE_BYTES];
        random.nextBytes(bytes);
        writer.write("%06d".formatted(i), Map.of("bin", bytes));
      }
      writer.commit();
    }
    tarn = new ClusterOfProcesses(folder, TARGETS);
    CachedBuckets.create("cached", "data", origin, tarn.gateway().admin(), folder);
  }

  @AfterEach
  void stop() {
    tarn.close();
    origin.close();
  }

  private static StorageOptions options(TarnProcess server) {
    return StorageOptions.builder()
        .endpoint(server.s3())
        .region("us-east-1")
        .credentials(AccessKeys.of(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY))
        .build();
  }

  private DatasetBuilder builder() {
    return ShardDataset.builder()
        .manifest("s3://cached/train")
        .storageOptions(options(tarn.gateway()))
        .listener(new Reads())
        .shuffle(Shuffle.blocks(1 << 20))
        .memoryBudget(4 << 20);
  }

  private ShardDataset dataset() throws IOException {
    return builder().origin("s3://data/train", options(origin)).build();
  }

  private static List<String> read(SampleIterator epoch, int max) {
    List<String> samples = new ArrayList<>();
    while (samples.size() < max && epoch.hasNext()) {
      Sample sample = epoch.next();
      samples.add(sample.key() + " " + Base64.getEncoder().encodeToString(sample.bytes("bin")));
    }
    return samples;
  }

  private List<String> undisturbed(long epoch) throws IOException {
    try (ShardDataset dataset = dataset();
        SampleIterator samples = dataset.iterate(epoch)) {
      return read(samples, Integer.MAX_VALUE);
    }
  }

  private void killAll() {
    tarn.control().kill();
    TARGETS.forEach(id -> tarn.target(id).kill());
    tarn.gateway().kill();
  }

  private void startAll() throws IOException {
    tarn.startControl();
    for (String id : TARGETS) {
      tarn.startTarget(id);
    }
    tarn.startGateway(1);
  }

  @Test
  void epochGoesOnWhileTarnIsDeadAndReturnsToItWhenItIsBack() throws Exception {
    List<String> first = undisturbed(0);
    List<String> second = undisturbed(1);
    assertThat(first).hasSize(SAMPLES);
    assertThat(originReads.get()).isZero();

    try (ShardDataset dataset = dataset()) {
      try (SampleIterator epoch = dataset.iterate(0)) {
        List<String> samples = read(epoch, SAMPLES / 4);
        killAll();
        samples.addAll(read(epoch, Integer.MAX_VALUE));
        assertThat(samples).isEqualTo(first);
      }
      assertThat(outages.get()).isOne();
      assertThat(originReads.get()).isPositive();

      startAll();
      back.await();
      int before = originReads.get();
      try (SampleIterator epoch = dataset.iterate(1)) {
        assertThat(read(epoch, Integer.MAX_VALUE)).isEqualTo(second);
      }
      assertThat(originReads.get()).isEqualTo(before);
    }
  }

  @Test
  void originThatTheGatewayNamedIsReadWithCredentialsOfTheAwsChain() throws Exception {
    List<String> expected = undisturbed(0);
    System.setProperty("aws.accessKeyId", TarnProcess.ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", TarnProcess.SECRET_KEY);
    try (ShardDataset dataset = builder().build();
        SampleIterator epoch = dataset.iterate(0)) {
      List<String> samples = read(epoch, SAMPLES / 4);
      killAll();
      samples.addAll(read(epoch, Integer.MAX_VALUE));

      assertThat(samples).isEqualTo(expected);
      assertThat(originReads.get()).isPositive();
    } finally {
      System.clearProperty("aws.accessKeyId");
      System.clearProperty("aws.secretAccessKey");
    }
  }

  @Test
  void checkpointResumesWhileTarnIsDead() throws Exception {
    List<String> expected = undisturbed(0);
    List<String> samples;
    Checkpoint checkpoint;
    try (ShardDataset dataset = dataset();
        SampleIterator epoch = dataset.iterate(0)) {
      samples = read(epoch, SAMPLES / 4);
      killAll();
      samples.addAll(read(epoch, SAMPLES / 2));
      checkpoint = Checkpoint.parse(epoch.checkpoint().toJson());
    }

    try (ShardDataset dataset = dataset();
        SampleIterator epoch = dataset.resume(checkpoint)) {
      samples.addAll(read(epoch, Integer.MAX_VALUE));
    }

    assertThat(samples).isEqualTo(expected);
  }
}
