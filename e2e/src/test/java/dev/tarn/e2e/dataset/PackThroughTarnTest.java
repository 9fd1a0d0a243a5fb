package dev.tarn.e2e.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tarn.client.Sample;
import dev.tarn.client.SampleIterator;
import dev.tarn.client.ShardDataset;
import dev.tarn.client.Shuffle;
import dev.tarn.client.storage.AccessKeys;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.e2e.process.SharderProcess;
import dev.tarn.e2e.process.TarnProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.s3.S3Client;

/** Tarn's whole main job, with a kill -9 in the middle of it. */
class PackThroughTarnTest {
  private static final int FILES = 500;

  @TempDir private Path folder;

  @Test
  void smallFilesBecomeShardsInTarnAndComeBackAsSamplesAfterAKill() throws Exception {
    Map<String, byte[]> files = writeFiles();
    try (TarnProcess tarn = TarnProcess.start(folder)) {
      try (S3Client s3 = tarn.openS3Client()) {
        s3.createBucket(create -> create.bucket("data"));
      }
      assertThat(
              SharderProcess.run(
                  tarn.s3(),
                  "pack",
                  folder.resolve("files").toString(),
                  "s3://data/shards",
                  "--max-size",
                  "1MiB",
                  "--seed",
                  "7"))
          .isZero();
      tarn.kill();
    }

    try (TarnProcess again = TarnProcess.start(folder)) {
      assertThat(SharderProcess.run(again.s3(), "verify", "s3://data/shards")).isZero();
      assertThat(readAll(again)).containsExactlyInAnyOrderEntriesOf(files);
      assertThat(again.stop()).isZero();
    }
  }

  private Map<String, byte[]> writeFiles() throws Exception {
    Random random = new Random(7);
    Map<String, byte[]> files = new HashMap<>();
    for (int i = 0; i < FILES; i++) {
      byte[] bytes = new byte[random.nextInt(20_000)];
      random.nextBytes(bytes);
      String key = "class%d/%04d".formatted(i % 7, i);
      Path file = folder.resolve("files").resolve(key + ".bin");
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
      files.put(key, bytes);
    }
    return files;
  }

  private static Map<String, byte[]> readAll(TarnProcess tarn) throws IOException {
    StorageOptions options =
        StorageOptions.builder()
            .endpoint(tarn.s3())
            .region("us-east-1")
            .credentials(AccessKeys.of(TarnProcess.ACCESS_KEY, TarnProcess.SECRET_KEY))
            .build();
    Map<String, byte[]> found = new HashMap<>();
    try (Storage storage = Storage.open(options);
        ShardDataset dataset =
            ShardDataset.builder()
                .storage(storage)
                .manifest("s3://data/shards")
                .seed(1)
                .shuffle(Shuffle.blocks(1 << 20))
                .build();
        SampleIterator samples = dataset.iterate(0)) {
      while (samples.hasNext()) {
        Sample sample = samples.next();
        assertThat(found.put(sample.key(), sample.bytes("bin"))).isNull();
      }
    }
    return found;
  }
}
