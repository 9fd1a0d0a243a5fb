package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.verify.DatasetVerifier;
import dev.tarn.sharder.verify.Datasets;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Verifies a dataset. */
@Command(
    name = "verify",
    description = "Reads a whole dataset and checks it against its manifest and indexes.",
    mixinStandardHelpOptions = true)
final class VerifyCommand implements Callable<Integer> {
  private static final int MAXIMUM_JOBS = 64;

  @Spec private @Nullable CommandSpec spec;
  @Mixin private StorageMixin storageOptions = new StorageMixin();

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
      List<String> problems = new DatasetVerifier(storage, url, jobs).verify(manifest);
      return report(manifest, problems);
    }
  }

  private int report(DatasetManifest manifest, List<String> problems) {
    if (spec == null) {
      throw new IllegalStateException("picocli gives every command its spec");
    }
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    problems.forEach(problem -> err.println("sharder: " + problem));
    if (problems.isEmpty()) {
      out.printf(
          Locale.ROOT,
          "verified %,d samples in %,d shards of %s%ndataset sha256:%s%n",
          manifest.samples(),
          manifest.shards().size(),
          ByteSize.print(manifest.size()),
          manifest.digest());
      out.flush();
    } else {
      err.printf(Locale.ROOT, "sharder: %,d problems in %s%n", problems.size(), dataset);
      err.flush();
    }
    return problems.isEmpty() ? 0 : 1;
  }
}
