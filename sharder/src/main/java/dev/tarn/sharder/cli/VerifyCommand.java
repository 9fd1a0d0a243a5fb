package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.verify.DatasetVerifier;
import dev.tarn.sharder.verify.Datasets;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies a dataset. */
@Command(
    name = "verify",
    description = "Reads a whole dataset and checks it against its manifest and indexes.",
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int MAXIMUM_JOBS = 64;

  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();

  @Parameters(paramLabel = "DATASET", description = "A directory, or s3://bucket/prefix.")
  private String dataset = "";

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "How many shards are read at once (default: one for each processor).")
  private int jobs = Runtime.getRuntime().availableProcessors();

  @Override
  public Integer call() throws IOException, InterruptedException {
    StorageUrl url = storageOptions.url(dataset);
    if (jobs < 1 || jobs > MAXIMUM_JOBS) {
      throw storageOptions.usage(
          new IllegalArgumentException("--jobs " + jobs + ": from 1 to " + MAXIMUM_JOBS));
    }
    try (Storage storage = storageOptions.open()) {
      DatasetManifest manifest = Datasets.open(storage, url);
      List<String> problems;
      try (Progress progress = console.begin("verifying", manifest.members(), manifest.size())) {
        problems = new DatasetVerifier(storage, url, jobs).verify(manifest, progress);
      }
      return report(manifest, problems);
    }
  }

  private int report(DatasetManifest manifest, List<String> problems) {
    problems.forEach(console::error);
    Map<String, Object> fields = DatasetSummary.fields("verify", manifest);
    fields.put("problems", problems.size());
    if (problems.isEmpty()) {
      console.summary(
          fields,
          String.format(
              Locale.ROOT,
              "verified %,d samples in %,d shards of %s%ndataset sha256:%s",
              manifest.samples(),
              manifest.shards().size(),
              ByteSize.print(manifest.size()),
              manifest.digest()));
      return 0;
    }
    console.error(String.format(Locale.ROOT, "%,d problems in %s", problems.size(), dataset));
    return 1;
  }
}
