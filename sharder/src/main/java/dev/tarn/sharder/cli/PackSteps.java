package dev.tarn.sharder.cli;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.option.PackPlaces;
import dev.tarn.sharder.cli.option.PlannedFiles;
import dev.tarn.sharder.cli.option.PlanningMixin;
import dev.tarn.sharder.cli.output.Console;
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
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** The steps of a pack, from the sources or from a stored plan. */
final class PackSteps {
  private final Storage storage;
  private final Packer packer;
  private final StorageUrl to;
  private final PlanningMixin planning;
  private final Sources sources;
  private final Rules rules;
  private final PackReport report;
  private final Console console;

  /**
   * The sources of a pack.
   *
   * @param from what is packed
   * @param takesHidden whether hidden files are packed
   * @param ignoresZeros whether blocks of zeros in an archive are skipped
   */
  record Sources(
      List<StorageUrl> from, ListColumns columns, boolean takesHidden, boolean ignoresZeros) {
    Sources {
      from = List.copyOf(from);
      requireNonNull(columns, "columns is null");
    }
  }

  /**
   * How a pack treats the destination.
   *
   * @param restart whether an unfinished pack there is discarded
   * @param dryRun whether nothing is written
   * @param begin called before the first write; from then on, an interruption removes what is
   *     unfinished
   */
  record Rules(boolean restart, boolean dryRun, Runnable begin) {
    Rules {
      requireNonNull(begin, "begin is null");
    }
  }

  /**
   * Prepares a pack.
   *
   * @param to the destination
   * @param workers the number of concurrent readers
   */
  PackSteps(
      Storage storage,
      StorageUrl to,
      int workers,
      Sources sources,
      PlanningMixin planning,
      Rules rules,
      PackReport report) {
    this.storage = requireNonNull(storage, "storage is null");
    this.to = requireNonNull(to, "to is null");
    this.packer = new Packer(storage, to, workers);
    this.sources = requireNonNull(sources, "sources is null");
    this.planning = requireNonNull(planning, "planning is null");
    this.rules = requireNonNull(rules, "rules is null");
    this.report = requireNonNull(report, "report is null");
    this.console = report.console();
  }

  /** Plans and packs the sources, or resumes the unfinished pack of them. */
  void pack(PackPlaces places, PlanOptions options, Predicate<String> filter)
      throws IOException, InterruptedException {
    StoredPlan stored = new StoredPlan(storage, to);
    boolean committed = planning.appends() && stored.isCommitted();
    requireNoDataset(stored);
    boolean resumes = !rules.restart() && !committed && stored.exists();
    UnnamedFiles unnamed = resumes ? UnnamedFiles.none(to) : stored.unnamed(options, Set.of());
    planning.requireFree(unnamed, places);
    Planner planner =
        new Planner(
            options,
            Packer.encoder(options.compression()),
            planning.space(),
            planning.base(storage, to));
    try (Faults faults = planning.faults(options);
        OpenSources opened = open(planning.keepsOrder(), faults);
        Plan plan = planning.plan(planner, opened.filtered(filter), places, faults, console)) {
      FindingsWarnings.say(plan.header(), console);
      PlannedFiles planned = new PlannedFiles(plan, opened.all());
      if (rules.dryRun()) {
        planning.requireFree(unnamed, places, planned);
        if (!rules.restart() && !committed && stored.holds(plan)) {
          packer.requireNoOthers(plan);
          console.warn("would resume the unfinished pack in " + to);
        }
        if (!unnamed.urls().isEmpty()) {
          console.warn("would delete " + unnamed);
        }
        report.dryRun(plan.shards(), to);
        return;
      }
      try (var _ = PackLock.take(to)) {
        // Another run may have finished a dataset while this one planned.
        requireNoDataset(stored);
        if (!resumes) {
          planning.deleteUnnamed(
              storage, stored.unnamed(options, Set.of()), places, planned, console);
        }
        clear(stored, committed);
        if (plan.shards().isEmpty() && !stored.exists()) {
          report.nothingToAppend();
        } else {
          pack(plan, stored, opened.all(), faults);
        }
      }
    }
  }

  private void requireNoDataset(StoredPlan stored) throws IOException {
    if (!planning.appends() && (rules.restart() || !stored.exists())) {
      packer.requireNoDataset();
    }
  }

  /** Removes the plan of a finished pack, and on request what an unfinished one has left. */
  private void clear(StoredPlan stored, boolean committed)
      throws IOException, InterruptedException {
    if (committed) {
      stored.delete();
    } else if (rules.restart()) {
      DiscardedShards discarded = stored.discard();
      if (!discarded.names().isEmpty()) {
        console.warn(discarded.message("the unfinished pack"));
      }
    }
  }

  private void pack(Plan plan, StoredPlan stored, List<Source> files, Faults faults)
      throws IOException, InterruptedException {
    rules.begin().run();
    if (stored.begin(plan)) {
      console.warn("resuming the unfinished pack in " + to);
    }
    DatasetManifest manifest = packRest(plan, files, faults);
    stored.remove();
    report.dataset(manifest, faults.skipped(), to);
  }

  /** Packs a stored plan, or one slice of it. */
  void packPlan(Plan plan, Optional<Slice> slice) throws IOException, InterruptedException {
    PlanHeader header = plan.header();
    if (rules.dryRun()) {
      report.dryRun(slice.isPresent() ? shards(plan, slice.orElseThrow()) : plan.shards(), to);
      return;
    }
    rules.begin().run();
    boolean keepsOrder = header.options().order().kind() == Order.Kind.SOURCE;
    try (Faults faults = planning.faults(header.options());
        OpenSources opened = open(keepsOrder, faults)) {
      if (slice.isPresent()) {
        Slice part = slice.orElseThrow();
        int shards = packSlice(plan, part, opened.all(), faults);
        report.slice(part, shards, faults.skipped(), to);
      } else {
        try (var _ = PackLock.take(to)) {
          DatasetManifest manifest = packRest(plan, opened.all(), faults);
          new StoredPlan(storage, to).end(plan);
          report.dataset(manifest, faults.skipped(), to);
        }
      }
    }
  }

  private int packSlice(Plan plan, Slice slice, List<Source> files, Faults faults)
      throws IOException, InterruptedException {
    List<PlannedShard> shards = shards(plan, slice);
    long members = shards.stream().mapToLong(PlannedShard::members).sum();
    long bytes = shards.stream().mapToLong(PlannedShard::fileBytes).sum();
    return packed(
        members, bytes, faults, progress -> packer.packSlice(plan, slice, files, faults, progress));
  }

  private DatasetManifest packRest(Plan plan, List<Source> files, Faults faults)
      throws IOException, InterruptedException {
    return packed(
        plan.header().members(),
        plan.header().fileBytes(),
        faults,
        progress -> packer.packMissing(plan, files, faults, progress));
  }

  private interface Step<T> {
    T run(Progress progress) throws IOException, InterruptedException;
  }

  private <T> T packed(long members, long bytes, Faults faults, Step<T> step)
      throws IOException, InterruptedException {
    long skipped = faults.skipped();
    T result;
    try (Progress progress = console.begin("packing", members, bytes)) {
      result = step.run(progress);
    } catch (InterruptedException e) {
      report.unfinished();
      throw e;
    }
    report.lost(faults.skipped() - skipped);
    return result;
  }

  private static List<PlannedShard> shards(Plan plan, Slice slice) {
    return slice.shards(plan).stream().map(plan.shards()::get).toList();
  }

  private OpenSources open(boolean keepsOrder, Faults faults) throws IOException {
    return OpenSources.open(
        storage,
        sources.from(),
        new SourceOptions(
            sources.columns(),
            keepsOrder,
            sources.takesHidden(),
            sources.ignoresZeros(),
            planning.space().folder(),
            faults,
            console::warn));
  }
}
