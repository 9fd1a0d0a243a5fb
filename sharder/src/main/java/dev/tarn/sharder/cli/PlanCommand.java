package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.sharder.cli.option.PackPlaces;
import dev.tarn.sharder.cli.option.PlannedFiles;
import dev.tarn.sharder.cli.option.PlanningMixin;
import dev.tarn.sharder.cli.option.SourcesMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.FindingsWarnings;
import dev.tarn.sharder.pack.DiscardedShards;
import dev.tarn.sharder.pack.Packer;
import dev.tarn.sharder.pack.StoredPlan;
import dev.tarn.sharder.pack.UnnamedFiles;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.PlannedShard;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.source.ListColumns;
import dev.tarn.sharder.source.SourceOptions;
import dev.tarn.sharder.source.open.OpenSources;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Plans a pack. */
@Command(
    description = {
      "Plans the shards of the files of SOURCEs at DEST, without packing them.",
      "",
      "Any number of machines can pack from the plan's file at once: sharder pack --plan.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder plan s3://data/images s3://data/shards --seed 1 --plan s3://data/plan",
      "  sharder plan images labels.csv shards --split train=0.9,val=0.1 --plan plan",
      "  sharder plan images shards --max-size 1GiB --dry-run",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class PlanCommand implements Callable<Integer> {
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
        "DEST: A directory, or s3://bucket/prefix, where the dataset will be."
      })
  private List<String> words = List.of();

  @Option(
      names = "--plan",
      paramLabel = "PLAN",
      description = "The plan's file: a path, or s3://bucket/key. An existing plan is replaced.")
  private String plan = "";

  @Option(names = "--dry-run", description = "Write nothing; print what the plan would be.")
  private boolean dryRun;

  @Mixin private PlanningMixin planning = new PlanningMixin();

  @Override
  public Integer call() throws IOException, InterruptedException {
    PackPlaces places = PackPlaces.of(words, storageOptions);
    PlanOptions options = options();
    try (Storage storage = storageOptions.open();
        Faults faults = planning.faults(options);
        OpenSources sources = open(storage, places, faults)) {
      Packer packer = new Packer(storage, places.destination(), 1);
      if (!planning.appends()) {
        packer.requireNoDataset();
      }
      Before before = before(storage, places.destination());
      StoredPlan stored = new StoredPlan(storage, places.destination());
      planning.requireFree(stored.unnamed(options, before.shards()), places);
      Planner planner =
          new Planner(
              options,
              Packer.encoder(options.compression()),
              planning.space(),
              planning.base(storage, places.destination()));
      try (Plan made = planning.plan(planner, sources.all(), places, faults, console)) {
        PlannedFiles planned = new PlannedFiles(made, sources.all());
        boolean isNew = !before.digest().equals(Optional.of(made.digest()));
        UnnamedFiles unnamed =
            stored.unnamed(options, isNew ? made(before, storage, stored) : before.shards());
        if (dryRun) {
          planning.requireFree(unnamed, places, planned);
          if (!unnamed.urls().isEmpty()) {
            console.warn("would delete " + unnamed);
          }
        } else {
          planning.deleteUnnamed(storage, unnamed, places, planned, console);
          if (isNew) {
            discard(before, storage, stored);
            store(made, storage, packer);
          }
        }
        FindingsWarnings.say(made.header(), console);
        report(made);
      }
    }
    return 0;
  }

  /**
   * Stores the plan. Shard indexes that other plans left are deleted first, because tasks may wait
   * for the plan and start as soon as it appears.
   */
  private void store(Plan made, Storage storage, Packer packer) throws IOException {
    if (parent == null) {
      throw new IllegalStateException("picocli gives every subcommand its parent");
    }
    StorageUrl file = storageOptions.url(plan);
    packer.forget(made);
    storage.discardUnfinished(file.parent(), Set.of(file.name()));
    parent.interruption().begin();
    made.store(storage, file);
  }

  /**
   * The plan that is replaced.
   *
   * @param digest of the plan: packed shards are kept if the new plan is the same
   * @param shards the shards that it names at the destination
   */
  private record Before(Optional<Sha256> digest, Set<String> shards) {
    private static final Before NONE = new Before(Optional.empty(), Set.of());
  }

  private Before before(Storage storage, StorageUrl destination) throws IOException {
    if (plan.isEmpty()) {
      return Before.NONE;
    }
    try (Plan before = Plan.open(storage, storageOptions.url(plan))) {
      boolean same = before.header().destination().equals(destination.toString());
      return new Before(
          Optional.of(before.digest()),
          same
              ? before.shards().stream().map(PlannedShard::name).collect(Collectors.toSet())
              : Set.of());
    } catch (StorageException e) {
      if (e.kind() == StorageException.Kind.MISSING) {
        return Before.NONE;
      }
      throw e;
    } catch (IOException e) {
      throw new IOException(e.getMessage() + ": it is not overwritten; delete it first", e);
    }
  }

  /** Returns the shards at the destination that the plan that is replaced made. */
  private Set<String> made(Before before, Storage storage, StoredPlan stored)
      throws IOException, InterruptedException {
    if (before.shards().isEmpty()) {
      return Set.of();
    }
    try (Plan replaced = Plan.open(storage, storageOptions.url(plan))) {
      return stored.made(replaced);
    }
  }

  /** Discards the shards that the plan that is replaced made; the new plan has other ones. */
  private void discard(Before before, Storage storage, StoredPlan stored)
      throws IOException, InterruptedException {
    if (before.shards().isEmpty()) {
      return;
    }
    try (Plan replaced = Plan.open(storage, storageOptions.url(plan))) {
      DiscardedShards discarded = stored.discard(replaced);
      if (!discarded.names().isEmpty()) {
        console.warn(discarded.message("the replaced plan"));
      }
    }
  }

  private PlanOptions options() throws IOException {
    try {
      if (plan.isEmpty() && !dryRun) {
        throw new IllegalArgumentException("expected either --plan PLAN or --dry-run");
      }
      return planning.options().hidden(sourceOptions.takesHidden()).build();
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
  }

  private OpenSources open(Storage storage, PackPlaces places, Faults faults) throws IOException {
    ListColumns columns;
    try {
      columns = sourceOptions.columns(places.sources());
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
    return OpenSources.open(
        storage,
        places.sources(),
        new SourceOptions(
            columns,
            planning.keepsOrder(),
            sourceOptions.takesHidden(),
            sourceOptions.ignoresZeros(),
            planning.space().folder(),
            faults,
            console::warn));
  }

  private void report(Plan made) {
    PlanHeader header = made.header();
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("command", "plan");
    fields.put("dry_run", dryRun);
    fields.put("samples", header.samples());
    fields.put("files", header.members());
    fields.put("shards", made.shards().size());
    fields.put("bytes", header.fileBytes());
    fields.put("skipped", header.findings().skipped());
    fields.put("sha256", made.digest().hex());
    console.summary(
        fields,
        String.format(
            Locale.ROOT,
            "%s %s of %s of %s into %s%s%nplan sha256:%s",
            dryRun ? "would pack" : "planned",
            Counted.of(header.samples(), "sample"),
            Counted.of(header.members(), "file"),
            ByteSize.print(header.fileBytes()),
            Counted.of(made.shards().size(), "shard"),
            dryRun ? "" : ": " + plan,
            made.digest()));
  }
}
