package dev.tarn.sharder.cli;

import static java.util.stream.Collectors.joining;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.option.OriginMixin;
import dev.tarn.sharder.cli.option.ShardsMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.DatasetSummary;
import dev.tarn.sharder.shard.Datasets;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.verify.DatasetVerifier;
import dev.tarn.sharder.verify.Problem;
import dev.tarn.sharder.verify.ShardVerifier;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Verifies datasets and shards. */
@Command(
    description = {
      "Reads whole datasets and verifies them against their manifests and indexes.",
      "",
      "It verifies the SHA-256 of samples and indexes, the CRC32C of shards, the archives'"
          + " structure to their end, and each file's name, place and CRC32C. Each byte is hashed"
          + " once. A single shard is verified against its index. Each problem is printed, with the"
          + " command that repairs it, if any.",
    },
    footer = {
      "",
      "Exit code: 0 if there are no problems, 1 if there are, 2 for wrong usage.",
      "",
      "Examples:",
      "  sharder verify s3://data/shards",
      "  sharder verify shards/shard-{000000..000009}.tar",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class VerifyCommand extends ShardsCommand {
  @Mixin private ShardsMixin named = new ShardsMixin();
  @Mixin private OriginMixin origin = new OriginMixin();

  private long problems;

  @Override
  Integer run() throws IOException, InterruptedException {
    beginInterruption();
    List<StorageUrl> urls = named.urls(storageOptions);
    int jobs = jobsOption.jobs(storageOptions, urls);
    try (Storage storage = origin.open(storageOptions, urls)) {
      List<StorageUrl> shards = new ArrayList<>();
      for (StorageUrl url : urls) {
        if (ShardPlace.isShardName(url.path())) {
          shards.add(url);
        } else {
          verifyDataset(storage, url, jobs);
        }
      }
      if (!shards.isEmpty()) {
        verifyShards(storage, shards, jobs);
      }
    }
    if (problems > 0) {
      console.error(
          String.format(
              Locale.ROOT,
              "%s in %s",
              Counted.of(problems, "problem"),
              urls.stream().map(StorageUrl::printable).collect(joining(", "))));
    }
    return problems == 0 ? 0 : 1;
  }

  private void verifyDataset(Storage storage, StorageUrl url, int jobs)
      throws IOException, InterruptedException {
    StorageUrl dataset = ShardSelection.dataset(url);
    DatasetManifest manifest = Datasets.open(storage, dataset);
    long before = problems;
    try (Progress progress = console.begin("verifying", manifest.members(), manifest.size())) {
      new DatasetVerifier(new ShardAccess(storage, temporary.folder()), dataset, jobs)
          .verify(manifest, progress, this::report);
    }
    Map<String, Object> fields = DatasetSummary.fields("verify", manifest);
    fields.put("problems", problems - before);
    if (problems == before) {
      console.summary(
          fields,
          String.format(
              Locale.ROOT,
              "verified %s in %s of %s%ndataset sha256:%s",
              Counted.of(manifest.samples(), "sample"),
              Counted.of(manifest.shards().size(), "shard"),
              ByteSize.print(manifest.size()),
              manifest.digest()));
    } else {
      console.summary(fields);
    }
  }

  private void verifyShards(Storage storage, List<StorageUrl> urls, int jobs)
      throws IOException, InterruptedException {
    List<ShardPlace> shards = urls.stream().map(ShardPlace::of).toList();
    long before = problems;
    long files;
    try (Progress progress = console.begin("verifying", Console.UNKNOWN, Console.UNKNOWN)) {
      ShardAccess access = new ShardAccess(storage, temporary.folder());
      ShardVerifier verifier = new ShardVerifier(access, progress);
      ParallelShards.run(shards, jobs, verifier::verify, found -> found.forEach(this::report));
      files = progress.files();
    }
    Map<String, Object> fields =
        JsonText.fields(
            "command",
            "verify",
            "shards",
            shards.size(),
            "files",
            files,
            "problems",
            problems - before);
    if (problems == before) {
      console.summary(
          fields,
          "verified " + Counted.of(files, "file") + " in " + Counted.of(shards.size(), "shard"));
    } else {
      console.summary(fields);
    }
  }

  private void report(Problem problem) {
    problems++;
    Map<String, Object> fields =
        JsonText.fields(
            "kind", problem.kind().text(), "place", problem.place(), "message", problem.text());
    problem.repair().ifPresent(repair -> fields.put("repair", repair));
    console.problem(fields, problem.toString());
  }
}
