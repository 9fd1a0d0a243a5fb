package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.cli.option.PackPlaces;
import dev.tarn.sharder.cli.option.PlanningMixin;
import dev.tarn.sharder.cli.option.SourcesMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.option.WaitMixin;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.pack.Slice;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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
    PlanOptions options = options();
    PackSteps.Sources sources = sources(places.sources());
    Predicate<String> filter = checked(this::filter);
    int workers = workers(places.sources());
    try (Storage storage = storageOptions.open()) {
      steps(storage, places.destination(), workers, sources).pack(places, options, filter);
      return 0;
    }
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
      List<StorageUrl> from = plan.header().sources().stream().map(storageOptions::url).toList();
      StorageUrl to = storageOptions.url(plan.header().destination());
      steps(storage, to, workers(from), sources(from)).packPlan(plan, slice);
      return 0;
    }
  }

  private PackSteps steps(Storage storage, StorageUrl to, int workers, PackSteps.Sources sources) {
    return new PackSteps(
        storage,
        to,
        workers,
        sources,
        planning,
        new PackSteps.Rules(restart, dryRun, this::beginInterruption),
        new PackReport(name, console));
  }

  private PackSteps.Sources sources(List<StorageUrl> from) {
    SourcesMixin options = sourceOptions();
    return new PackSteps.Sources(
        from, checked(() -> options.columns(from)), options.takesHidden(), options.ignoresZeros());
  }

  final <T> T checked(Supplier<T> option) {
    try {
      return option.get();
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
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
}
