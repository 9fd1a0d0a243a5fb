package dev.tarn.benchmarks.suite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tarn.benchmarks.measure.MeasuredCommand;
import dev.tarn.benchmarks.report.Cell;
import dev.tarn.benchmarks.report.Goal;
import dev.tarn.benchmarks.server.Tarn;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.write.ShardWriter;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.FileEntry;
import dev.tarn.shard.manifest.PackEntry;
import dev.tarn.shard.manifest.ShardEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The peak of the anonymous memory of a process that reads far more than its budget, beside the
 * most that it may be. Its heap is bounded, as whoever counts memory bounds it: no collector stops
 * to grow before its bound.
 */
final class EpochMemory {
  private static final String NAME = "epoch";
  private static final double BOUND_MIB = 256;
  private static final int MEBIBYTE = 1 << 20;
  private static final int SAMPLE_BYTES = 110_000;
  private static final long SHARD_BYTES = 256L << 20;
  private static final List<String> JVM_OPTIONS = List.of("-Xmx160m");

  private EpochMemory() {}

  /** Measures with shards that are local, and with the same shard out of Tarn again and again. */
  static void measure(Run run, Tarn tarn) throws IOException {
    int shards = run.effort().count(40, 2);
    Path folder = Files.createDirectory(run.scratch().resolve("epoch-memory"));
    DatasetManifest one = pack(folder);
    for (String file : List.of(DatasetManifest.FILE_NAME, name(one), indexName(one))) {
      upload(tarn, folder.resolve(file), dataset().child(file));
    }
    repeat(folder, one, shards);
    long bytesMin = (shards - 1) * SHARD_BYTES;
    report(run, "local", command(folder.toString(), bytesMin));
    ProcessBuilder remote = command(dataset().toString(), bytesMin);
    remote.environment().put("AWS_ACCESS_KEY_ID", Tarn.CREDENTIALS.accessKey());
    remote.environment().put("AWS_SECRET_ACCESS_KEY", Tarn.CREDENTIALS.secretKey());
    remote.environment().put("AWS_ENDPOINT_URL_S3", tarn.endpoint().toString());
    report(run, "S3", remote);
  }

  private static StorageUrl dataset() {
    return StorageUrl.parse("s3://" + Buckets.NAME + "/epoch-memory");
  }

  private static DatasetManifest pack(Path folder) throws IOException {
    byte[] image = new byte[SAMPLE_BYTES];
    new Random(1).nextBytes(image);
    try (ShardWriter writer =
        ShardWriter.builder(folder.toString()).bytesMax(SHARD_BYTES).build()) {
      for (int i = 0; i < SHARD_BYTES / (SAMPLE_BYTES + 2_048); i++) {
        byte[] label = Integer.toString(i % 1_000).getBytes(UTF_8);
        writer.write("%06d".formatted(i), Map.of("cls", label, "jpg", image));
      }
      writer.commit();
    }
    Path manifest = folder.resolve(DatasetManifest.FILE_NAME);
    return DatasetManifest.parse(manifest.toString(), Files.readAllBytes(manifest));
  }

  private static String name(DatasetManifest one) {
    return one.shards().getFirst().name();
  }

  private static String indexName(DatasetManifest one) {
    return one.shards().getFirst().index().name();
  }

  private static void upload(Tarn tarn, Path file, StorageUrl target) throws IOException {
    try (Storage storage = Storage.open(tarn.storageOptions());
        var writer = storage.create(target)) {
      Files.copy(file, writer);
      var _ = writer.commit();
    }
  }

  /** As many shards of other names, which take no room of their own. */
  private static void repeat(Path folder, DatasetManifest one, int shards) throws IOException {
    ShardEntry first = one.shards().getFirst();
    List<ShardEntry> entries = new ArrayList<>();
    for (int i = 0; i < shards; i++) {
      String name = "repeated-%06d.tar".formatted(i);
      String index = name + ".tarnidx";
      Files.createLink(folder.resolve(name), folder.resolve(first.name()));
      Files.createLink(folder.resolve(index), folder.resolve(first.index().name()));
      entries.add(
          new ShardEntry(
              name,
              first.split(),
              first.compression(),
              first.size(),
              first.samples(),
              first.members(),
              first.crc32c(),
              first.samplesSha256(),
              new FileEntry(index, first.index().size(), first.index().sha256())));
    }
    PackEntry pack = one.packs().getFirst();
    DatasetManifest all =
        new DatasetManifest(
            List.of(new PackEntry(pack.encoder(), pack.options(), shards)),
            Optional.empty(),
            entries);
    Files.write(folder.resolve(DatasetManifest.FILE_NAME), all.toJson());
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
    // Libraries may have said something before.
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
