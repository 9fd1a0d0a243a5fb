package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.pack.StoredPlan;
import dev.tarn.sharder.plan.Faults;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanOptions;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.Sources;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Packs a source into a dataset. */
@Command(
    name = "pack",
    description = "Packs the files of SOURCEs into a dataset of shards at DEST.",
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PackCommand implements Callable<Integer> {
  /** Objects are far away: while one is awaited, others are under way. */
  private static final int REMOTE_JOBS = 32;

  @ParentCommand private @Nullable SharderCommand parent;
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();

  @Mixin private SourcesMixin sourceOptions = new SourcesMixin();

  @Parameters(
      arity = "2..*",
      paramLabel = "SOURCE... DEST",
      hideParamSyntax = true,
      description = {
        "SOURCE: " + SourcesMixin.DESCRIPTION,
        "DEST: A directory, or s3://bucket/prefix."
      })
  private List<String> words = List.of();

  @Mixin private PlanningMixin planning = new PlanningMixin();

  @Option(
      names = "--restart",
      description = "Throw away what an unfinished pack left at DEST, and begin anew.")
  private boolean restart;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "How many read at once (default: one for each processor, 32 from S3).")
  private @Nullable Integer jobs;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PackPlaces places = PackPlaces.of(words, storageOptions);
    StorageUrl to = places.destination();
    PlanOptions options = options();
    int workers = workers(places.sources());
    try (Storage storage = storageOptions.open()) {
      Packer packer = new Packer(storage, to, workers);
      StoredPlan stored = new StoredPlan(storage, to);
      if (restart || !stored.exists()) {
        packer.requireNoDataset();
      }
      if (restart) {
        stored.discard();
      }
      Planner planner =
          new Planner(options, Packer.encoder(options.compression()), planning.space());
      try (Sources sources = open(storage, places.sources());
          Faults faults = planning.faults(options);
          Plan plan = planner.plan(sources.all(), to.toString(), faults)) {
        FindingsWarnings.say(plan.header(), console);
        report(pack(packer, stored, plan, sources.all(), faults), to);
      }
      return 0;
    }
  }

  private Sources open(Storage storage, List<StorageUrl> from) throws IOException {
    try {
      return sourceOptions.open(
          storage, from, planning.keepsOrder(), planning.space().folder(), console::warn);
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private DatasetManifest pack(
      Packer packer, StoredPlan stored, Plan plan, List<Source> files, Faults faults)
      throws IOException, InterruptedException {
    long members = plan.header().members();
    beginInterruption();
    if (stored.begin(plan)) {
      console.warn("going on with the unfinished pack in " + plan.header().destination());
    }
    DatasetManifest manifest;
    try (Progress progress = console.begin("packing", members, plan.header().fileBytes())) {
      manifest = packer.resume(plan, files, faults, progress);
    } catch (InterruptedException e) {
      console.warn("broken off: the same command goes on where this one stopped");
      throw e;
    }
    stored.remove();
    return manifest;
  }

  private void beginInterruption() {
    if (parent == null) {
      throw new IllegalStateException("picocli gives every subcommand its parent");
    }
    parent.interruption().begin();
  }

  private PlanOptions options() throws IOException {
    try {
      return planning.options().build();
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private int workers(List<StorageUrl> from) {
    if (jobs == null) {
      boolean local = from.stream().allMatch(url -> url.scheme() == StorageUrl.Scheme.FILE);
      return local ? Runtime.getRuntime().availableProcessors() : REMOTE_JOBS;
    }
    if (jobs < 1 || jobs > Packer.MAXIMUM_JOBS) {
      throw storageOptions.usage(
          new IllegalArgumentException("--jobs " + jobs + ": from 1 to " + Packer.MAXIMUM_JOBS));
    }
    return jobs;
  }

  private void report(DatasetManifest manifest, StorageUrl to) {
    console.summary(
        DatasetSummary.fields("pack", manifest),
        String.format(
            Locale.ROOT,
            "packed %,d samples of %,d files into %,d shards of %s: %s%ndataset sha256:%s",
            manifest.samples(),
            manifest.members(),
            manifest.shards().size(),
            ByteSize.print(manifest.size()),
            to,
            manifest.digest()));
  }
}
