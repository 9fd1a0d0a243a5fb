package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.option.WaitMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.DatasetSummary;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.pack.StoredPlan;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanHeader;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Commits a dataset that several tasks packed. */
@Command(
    description = {
      "Writes the manifest of a plan whose shards are packed.",
      "",
      "If shards are missing, it names them and writes nothing.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder commit --plan s3://data/plan",
      "  sharder commit --plan s3://data/plan --wait 2h",
      "",
      "Before it:",
      "  sharder plan s3://data/images s3://data/shards --plan s3://data/plan",
      "  sharder pack --plan s3://data/plan --task 0/2 &",
      "  sharder pack --plan s3://data/plan --task 1/2 & wait",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CommitCommand implements Callable<Integer> {
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      required = true,
      description = "The file that sharder plan made.")
  private String plan = "";

  @Mixin private WaitMixin wait = new WaitMixin();

  @Option(
      names = "--dry-run",
      description =
          "Write nothing; check that all shards are there and the manifest can be written.")
  private boolean dryRun;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try (Storage storage = storageOptions.open();
        Plan opened = wait.until(console, () -> Plan.open(storage, storageOptions.url(plan)))) {
      StorageUrl destination = storageOptions.url(opened.header().destination());
      Packer packer = new Packer(storage, destination, 1);
      if (dryRun) {
        int shards = wait.until(console, () -> look(opened, packer::requirePacked));
        console.summary(
            JsonText.fields("command", "commit", "dry_run", true, "shards", shards),
            "complete: " + Counted.of(shards, "shard"));
        return 0;
      }
      DatasetManifest manifest = wait.until(console, () -> look(opened, packer::commit));
      new StoredPlan(storage, destination).end(opened);
      report(manifest, destination);
      return 0;
    }
  }

  /** A search for all shards of a plan. */
  private interface Look<T> {
    T run(Plan plan, Progress progress) throws IOException, InterruptedException;
  }

  private <T> T look(Plan opened, Look<T> look) throws IOException, InterruptedException {
    PlanHeader header = opened.header();
    try (Progress progress = console.begin("looking for", header.members(), header.fileBytes())) {
      return look.run(opened, progress);
    }
  }

  private void report(DatasetManifest manifest, StorageUrl destination) {
    console.summary(
        DatasetSummary.fields("commit", manifest),
        String.format(
            Locale.ROOT,
            "committed %s of %s in %s of %s: %s%ndataset sha256:%s",
            Counted.of(manifest.samples(), "sample"),
            Counted.of(manifest.members(), "file"),
            Counted.of(manifest.shards().size(), "shard"),
            ByteSize.print(manifest.size()),
            destination,
            manifest.digest()));
  }
}
