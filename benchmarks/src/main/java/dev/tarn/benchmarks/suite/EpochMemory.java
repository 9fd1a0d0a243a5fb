package dev.tarn.benchmarks.suite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.TarnServer;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.ShardWriter;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.ShardEntry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Measures the peak of the anonymous memory of a process that reads far more than its budget,
 * beside the allowed maximum. The heap has a bound, since every collector grows the heap up to its
 * bound.
 */
final class EpochMemory {
  private static final String NAME = "epoch";
  private static final double BOUND_MIB = 256;
  private static final int MEBIBYTE = 1 << 20;
  private static final int SAMPLE_BYTES = 110_000;
  private static final long SHARD_BYTES = 256L << 20;
  private static final int SHARD_SAMPLES = (int) (SHARD_BYTES / (SAMPLE_BYTES + 2_048));
  private static final List<String> JVM_OPTIONS = List.of("-Xmx160m");

  private EpochMemory() {}

  /** Measures epochs of local shards, and repeated epochs of one shard from Tarn. */
  static void measure(Run run, TarnServer tarn) throws IOException {
    int shards = run.effort().count(40, 2);
    Path folder = Files.createDirectory(run.scratch().resolve("epoch-memory"));
    DatasetManifest all = pack(folder, shards);
    long bytesMin = (shards - 1) * SHARD_BYTES;
    report(run, "local", command(folder.toString(), bytesMin));
    uploadOne(tarn, folder, all);
    ProcessBuilder remote = command(dataset().toString(), bytesMin);
    remote.environment().put("AWS_ACCESS_KEY_ID", TarnServer.CREDENTIALS.accessKey());
    remote.environment().put("AWS_SECRET_ACCESS_KEY", TarnServer.CREDENTIALS.secretKey());
    remote.environment().put("AWS_ENDPOINT_URL_S3", tarn.endpoint().toString());
    report(run, "S3", remote);
  }

  private static StorageUrl dataset() {
    return StorageUrl.parse("s3://" + BenchmarkBucket.NAME + "/epoch-memory");
  }

  /** Writes shards in which all samples differ. */
  private static DatasetManifest pack(Path folder, int shards) throws IOException {
    byte[] image = new byte[SAMPLE_BYTES];
    SplittableRandom random = new SplittableRandom(1);
    try (ShardWriter writer =
        ShardWriter.builder(folder.toString())
            .samplesMax(SHARD_SAMPLES)
            .bytesMax(2 * SHARD_BYTES)
            .build()) {
      for (int i = 0; i < shards * SHARD_SAMPLES; i++) {
        byte[] label = Integer.toString(i % 1_000).getBytes(UTF_8);
        random.nextBytes(image);
        writer.write("%06d".formatted(i), Map.of("cls", label, "jpg", image));
      }
      writer.commit();
    }
    Path manifest = folder.resolve(DatasetManifest.FILE_NAME);
    return DatasetManifest.parse(manifest.toString(), Files.readAllBytes(manifest));
  }

  /** Uploads the first shard, its index, and a manifest that lists only this shard. */
  private static void uploadOne(TarnServer tarn, Path folder, DatasetManifest all)
      throws IOException {
    ShardEntry first = all.shards().getFirst();
    PackEntry pack = all.packs().getFirst();
    DatasetManifest one =
        new DatasetManifest(
            List.of(new PackEntry(pack.encoder(), pack.options(), 1)),
            Optional.empty(),
            List.of(first));
    try (Storage storage = Storage.open(tarn.storageOptions())) {
      for (String file : List.of(first.name(), first.index().name())) {
        try (var writer = storage.create(dataset().child(file))) {
          Files.copy(folder.resolve(file), writer);
          var _ = writer.commit();
        }
      }
      var _ =
          storage.write(dataset().child(DatasetManifest.FILE_NAME), ByteBuffer.wrap(one.toJson()));
    }
  }

  private static ProcessBuilder command(String manifest, long bytesMin) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(JVM_OPTIONS);
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(EpochProcess.class.getName(), manifest, Long.toString(bytesMin)));
    return new ProcessBuilder(command);
  }

  private static void report(Run run, String from, ProcessBuilder command) throws IOException {
    Path log = run.scratch().resolve("epoch-memory-%s.log".formatted(from));
    MeasuredCommand measured = MeasuredCommand.run(command, log);
    // The figure is on the last line; libraries may have logged before.
    long gibibytes = Math.round(Long.parseLong(Files.readAllLines(log).getLast()) / 0x1p30);
    run.report()
        .add(
            new Cell(
                NAME,
                "%d GiB %s, budget 64 MiB".formatted(gibibytes, from),
                (double) measured.peakAnonymousBytes() / MEBIBYTE,
                BOUND_MIB,
                "MiB anonymous",
                Optional.of(new Goal.AtMost(BOUND_MIB))));
  }
}
