package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.cli.option.PackPlaces;
import dev.tarn.sharder.cli.option.PlannedFiles;
import dev.tarn.sharder.cli.option.PlanningMixin;
import dev.tarn.sharder.cli.option.SourcesMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.option.WaitMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.DatasetSummary;
import dev.tarn.sharder.cli.output.FindingsWarnings;
import dev.tarn.sharder.pack.DiscardedShards;
import dev.tarn.sharder.pack.PackLock;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.pack.Slice;
import dev.tarn.sharder.pack.StoredPlan;
import dev.tarn.sharder.pack.UnnamedFiles;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.progress.Progress;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Base of the commands that pack sources into a dataset. */
@Command(mixinStandardHelpOptions = true, sortOptions = false)
abstract class PackingCommand {
  /** Remote reads have high latency, so many run in parallel. */
  private static final int REMOTE_JOBS = 32;

  private static final String UNFINISHED =
      "the pack is not finished; run the same command again to resume it";

  private final String name;
  @ParentCommand private @Nullable SharderCommand parent;
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();

  @Mixin private PlanningMixin planning = new PlanningMixin();

  @Option(
      names = "--restart",
      description = "Discard the files of an unfinished pack at DEST, and start again.")
  private boolean restart;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Number of concurrent readers (default: one for each processor, 32 from S3).")
  private @Nullable Integer jobs;

  @Option(names = "--dry-run", description = "Write nothing; print what would be packed.")
  private boolean dryRun;

  /**
   * @param name of the command
   */
  PackingCommand(String name) {
    this.name = name;
  }

  /** Returns the options of the sources. */
  abstract SourcesMixin sourceOptions();

  /**
   * Returns a filter for the names of files to pack.
   *
   * @throws IllegalArgumentException if an option is invalid
   */
  abstract Predicate<String> filter();

  final PackPlaces places(List<String> words) {
    return PackPlaces.of(words, storageOptions);
  }

  /** Packs; returns the exit code. */
  final int pack(PackPlaces places) throws IOException, InterruptedException {
    StorageUrl to = places.destination();
    PlanOptions options = options();
    ListColumns columns = checked(() -> sourceOptions().columns(places.sources()));
    Predicate<String> filter = checked(this::filter);
    int workers = workers(places.sources());
    try (Storage storage = storageOptions.open()) {
      Packer packer = new Packer(storage, to, workers);
      StoredPlan stored = new StoredPlan(storage, to);
      boolean committed = planning.appends() && stored.isCommitted();
      requireNoDataset(packer, stored);
      boolean resumes = !restart && !committed && stored.exists();
      UnnamedFiles unnamed = resumes ? UnnamedFiles.none(to) : stored.unnamed(options, Set.of());
      planning.requireFree(unnamed, places);
      Planner planner =
          new Planner(
              options,
              Packer.encoder(options.compression()),
              planning.space(),
              planning.base(storage, to));
      try (Faults faults = planning.faults(options);
          OpenSources sources =
              open(storage, places.sources(), columns, planning.keepsOrder(), faults);
          Plan plan = planning.plan(planner, sources.filtered(filter), places, faults, console)) {
        FindingsWarnings.say(plan.header(), console);
        PlannedFiles planned = new PlannedFiles(plan, sources.all());
        if (dryRun) {
          planning.requireFree(unnamed, places, planned);
          if (!restart && !committed && stored.holds(plan)) {
            packer.requireNoOthers(plan);
            console.warn("would resume the unfinished pack in " + to);
          }
          if (!unnamed.urls().isEmpty()) {
            console.warn("would delete " + unnamed);
          }
          return reportDryRun(plan.shards(), to);
        }
        try (var _ = PackLock.take(to)) {
          // Another run may have finished a dataset while this one planned.
          requireNoDataset(packer, stored);
          if (!resumes) {
            planning.clear(storage, stored.unnamed(options, Set.of()), places, planned, console);
          }
          if (committed) {
            stored.delete();
          } else if (restart) {
            DiscardedShards discarded = stored.discard();
            if (!discarded.names().isEmpty()) {
              console.warn(discarded.message("the unfinished pack"));
            }
          }
          if (plan.shards().isEmpty() && !stored.exists()) {
            console.summary(Map.of("command", name, "shards", 0), "there is nothing to append");
            return 0;
          }
          pack(plan, stored, packer, sources.all(), faults, to);
        }
      }
      return 0;
    }
  }

  private void requireNoDataset(Packer packer, StoredPlan stored) throws IOException {
    if (!planning.appends() && (restart || !stored.exists())) {
      packer.requireNoDataset();
    }
  }

  private void pack(
      Plan plan, StoredPlan stored, Packer packer, List<Source> files, Faults faults, StorageUrl to)
      throws IOException, InterruptedException {
    beginInterruption();
    if (stored.begin(plan)) {
      console.warn("resuming the unfinished pack in " + to);
    }
    DatasetManifest manifest = packRest(packer, plan, files, faults);
    stored.remove();
    report(manifest, faults.skipped(), to);
  }

  /**
   * Verifies that no option is given that the plan already determines.
   *
   * @throws IllegalArgumentException naming such an option
   */
  final void requireNoPlanning() {
    if (restart) {
      throw new IllegalArgumentException(
          "--restart is not allowed with --plan; make the plan again");
    }
    planning.requireNone();
  }

  /**
   * Packs a plan, or one slice of it; returns the exit code.
   *
   * @param file the plan's file
   */
  final int packPlan(String file, Optional<Slice> slice, WaitMixin wait)
      throws IOException, InterruptedException {
    try (Storage storage = storageOptions.open();
        Plan plan = wait.until(console, () -> Plan.open(storage, storageOptions.url(file)))) {
      PlanHeader header = plan.header();
      List<StorageUrl> from = header.sources().stream().map(storageOptions::url).toList();
      StorageUrl to = storageOptions.url(header.destination());
      boolean keepsOrder = header.options().order().kind() == Order.Kind.SOURCE;
      Packer packer = new Packer(storage, to, workers(from));
      if (dryRun) {
        return reportDryRun(
            slice.isPresent() ? shards(plan, slice.orElseThrow()) : plan.shards(), to);
      }
      beginInterruption();
      try (Faults faults = planning.faults(header.options());
          OpenSources sources =
              open(
                  storage,
                  from,
                  checked(() -> sourceOptions().columns(from)),
                  keepsOrder,
                  faults)) {
        if (slice.isPresent()) {
          Slice part = slice.orElseThrow();
          int shards = packSlice(packer, plan, part, sources.all(), faults);
          report(part, shards, faults.skipped(), to);
        } else {
          try (var _ = PackLock.take(to)) {
            DatasetManifest manifest = packRest(packer, plan, sources.all(), faults);
            new StoredPlan(storage, to).end(plan);
            report(manifest, faults.skipped(), to);
          }
        }
      }
      return 0;
    }
  }

  private int packSlice(Packer packer, Plan plan, Slice slice, List<Source> files, Faults faults)
      throws IOException, InterruptedException {
    List<PlannedShard> shards = shards(plan, slice);
    long members = shards.stream().mapToLong(PlannedShard::members).sum();
    long bytes = shards.stream().mapToLong(PlannedShard::fileBytes).sum();
    long skipped = faults.skipped();
    int packed;
    try (Progress progress = console.begin("packing", members, bytes)) {
      packed = packer.packSlice(plan, slice, files, faults, progress);
    } catch (InterruptedException e) {
      console.warn(UNFINISHED);
      throw e;
    }
    warnOfLost(faults.skipped() - skipped);
    return packed;
  }

  /** Warns of samples that were lost while packing: files are opened only after planning. */
  private void warnOfLost(long samples) {
    if (samples > 0) {
      console.warn(
          "left out "
              + Counted.of(samples, "sample")
              + " because of errors in packing; --report FILE names them");
    }
  }

  private static List<PlannedShard> shards(Plan plan, Slice slice) {
    return slice.shards(plan).stream().map(plan.shards()::get).toList();
  }

  private int reportDryRun(List<PlannedShard> shards, StorageUrl to) {
    long samples = shards.stream().mapToLong(PlannedShard::samples).sum();
    long members = shards.stream().mapToLong(PlannedShard::members).sum();
    long bytes = shards.stream().mapToLong(PlannedShard::fileBytes).sum();
    console.summary(
        JsonText.fields(
            "command",
            name,
            "dry_run",
            true,
            "samples",
            samples,
            "files",
            members,
            "shards",
            shards.size(),
            "bytes",
            bytes),
        String.format(
            Locale.ROOT,
            "would pack %s of %s of %s into %s: %s",
            Counted.of(samples, "sample"),
            Counted.of(members, "file"),
            ByteSize.print(bytes),
            Counted.of(shards.size(), "shard"),
            to));
    return 0;
  }

  private void report(Slice slice, int shards, long skipped, StorageUrl to) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", name);
    fields.put("task", slice.task());
    fields.put("tasks", slice.tasks());
    fields.put("shards", shards);
    fields.put("skipped", skipped);
    console.summary(
        fields,
        String.format(
            Locale.ROOT,
            "packed %s, those of task %d of %d: %s%nsharder commit makes the dataset when"
                + " all tasks are done",
            Counted.of(shards, "shard"),
            slice.task(),
            slice.tasks(),
            to));
  }

  final <T> T checked(Supplier<T> option) {
    try {
      return option.get();
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private OpenSources open(
      Storage storage,
      List<StorageUrl> from,
      ListColumns columns,
      boolean keepsOrder,
      Faults faults)
      throws IOException {
    return OpenSources.open(
        storage,
        from,
        new SourceOptions(
            columns,
            keepsOrder,
            sourceOptions().takesHidden(),
            sourceOptions().ignoresZeros(),
            planning.space().folder(),
            faults::skip,
            console::warn));
  }

  private DatasetManifest packRest(Packer packer, Plan plan, List<Source> files, Faults faults)
      throws IOException, InterruptedException {
    long members = plan.header().members();
    long skipped = faults.skipped();
    DatasetManifest manifest;
    try (Progress progress = console.begin("packing", members, plan.header().fileBytes())) {
      manifest = packer.resume(plan, files, faults, progress);
    } catch (InterruptedException e) {
      console.warn(UNFINISHED);
      throw e;
    }
    warnOfLost(faults.skipped() - skipped);
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
      return planning.options().hidden(sourceOptions().takesHidden()).build();
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private int workers(List<StorageUrl> from) {
    if (jobs == null) {
      boolean local = from.stream().allMatch(OpenSources::isLocal);
      int processors = Runtime.getRuntime().availableProcessors();
      return local ? Math.min(processors, Packer.MAXIMUM_JOBS) : REMOTE_JOBS;
    }
    if (jobs < 1 || jobs > Packer.MAXIMUM_JOBS) {
      throw storageOptions.usage(
          new IllegalArgumentException("--jobs " + jobs + ": from 1 to " + Packer.MAXIMUM_JOBS));
    }
    return jobs;
  }

  private void report(DatasetManifest manifest, long skipped, StorageUrl to) {
    Map<String, Object> fields = DatasetSummary.fields(name, manifest);
    fields.put("skipped", skipped);
    console.summary(
        fields,
        String.format(
            Locale.ROOT,
            "packed %s of %s into %s of %s: %s%ndataset sha256:%s",
            Counted.of(manifest.samples(), "sample"),
            Counted.of(manifest.members(), "file"),
            Counted.of(manifest.shards().size(), "shard"),
            ByteSize.print(manifest.size()),
            to,
            manifest.digest()));
  }
}
