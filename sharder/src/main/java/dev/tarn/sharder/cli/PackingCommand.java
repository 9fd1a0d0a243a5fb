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
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.Sources;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** What commands have in common that pack sources into a dataset. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class PackingCommand {
  /** Objects are far away: while one is awaited, others are under way. */
  private static final int REMOTE_JOBS = 32;

  private final String name;
  @ParentCommand private @Nullable SharderCommand parent;
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();

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

  /**
   * @param name the command's
   */
  PackingCommand(String name) {
    this.name = name;
  }

  /**
   * What the columns of lists mean.
   *
   * @throws IllegalArgumentException if an option is wrong
   */
  abstract ListColumns columns();

  /**
   * Which files are packed, by name.
   *
   * @throws IllegalArgumentException if an option is wrong
   */
  abstract Predicate<String> filter();

  final PackPlaces places(List<String> words) {
    return PackPlaces.of(words, storageOptions);
  }

  /** Packs, and returns the exit code. */
  final int pack(PackPlaces places) throws IOException, InterruptedException {
    StorageUrl to = places.destination();
    PlanOptions options = options();
    ListColumns columns = checked(this::columns);
    Predicate<String> filter = checked(this::filter);
    int workers = workers(places.sources());
    try (Storage storage = storageOptions.open()) {
      Packer packer = new Packer(storage, to, workers);
      StoredPlan stored = new StoredPlan(storage, to);
      if (planning.appends()) {
        stored.removeIfCommitted();
      } else if (restart || !stored.exists()) {
        packer.requireNoDataset();
      }
      if (restart) {
        stored.discard();
      }
      Planner planner =
          new Planner(
              options,
              Packer.encoder(options.compression()),
              planning.space(),
              planning.base(storage, to));
      try (Faults faults = planning.faults(options);
          Sources sources = open(storage, places.sources(), columns, faults);
          Plan plan = planner.plan(sources.filtered(filter).all(), to.toString(), faults)) {
        FindingsWarnings.say(plan.header(), console);
        if (plan.shards().isEmpty() && !stored.exists()) {
          console.summary(Map.of("command", name, "shards", 0), "there is nothing to append");
        } else {
          report(pack(packer, stored, plan, sources.all(), faults), to);
        }
      }
      return 0;
    }
  }

  private <T> T checked(Supplier<T> option) {
    try {
      return option.get();
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private Sources open(Storage storage, List<StorageUrl> from, ListColumns columns, Faults faults)
      throws IOException {
    return Sources.open(
        storage,
        from,
        new SourceOptions(
            columns,
            planning.keepsOrder(),
            planning.space().folder(),
            faults::skip,
            console::warn));
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
        DatasetSummary.fields(name, manifest),
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
