package dev.tarn.sharder.cli.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.manifest.ShardPattern;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.pack.UnnamedFiles;
import dev.tarn.sharder.plan.ExistingDataset;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.Planner;
import dev.tarn.sharder.plan.option.Dots;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.KeyPattern;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.PrefixBy;
import dev.tarn.sharder.plan.option.Requirement;
import dev.tarn.sharder.plan.option.Reserved;
import dev.tarn.sharder.plan.option.Route;
import dev.tarn.sharder.plan.option.Split;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.open.SourceView;
import java.io.IOException;
import java.io.Writer;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The planning options, which all commands share that plan. */
@Command
public final class PlanningMixin {
  /** An order without a seed. */
  enum UnseededOrder {
    KEY,
    SOURCE
  }

  /** The classes whose options a plan determines. */
  private static final Set<Class<?>> DECIDED =
      Set.of(PlanningMixin.class, CompressionMixin.class, SourcesMixin.class);

  /** Options of packing that are allowed together with a plan. */
  private static final Set<String> WITH_A_PLAN = Set.of("--report", "--temp-dir");

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec spec;

  @Option(
      names = "--max-size",
      paramLabel = "SIZE",
      defaultValue = "256MiB",
      description = "Maximum length of a shard, in tar bytes (default: ${DEFAULT-VALUE}).")
  private ByteSize maximumSize = new ByteSize(1);

  @Option(
      names = "--max-count",
      paramLabel = "N",
      description = "Maximum number of samples in a shard (default: no limit).")
  private @Nullable Long maximumCount;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Shuffle all samples by this seed (default: no shuffle, see --order).")
  private @Nullable Long seed;

  @Option(
      names = "--order",
      paramLabel = "key|source",
      description =
          "The order of samples: by the bytes of their keys, or source after source in each"
              + " source's order. Directories and prefixes have none, so their samples are ordered"
              + " by key (default: key).")
  private @Nullable UnseededOrder order;

  @Option(
      names = "--pattern",
      paramLabel = "NAME",
      defaultValue = "shard-%06d.tar",
      description = "The shards' names (default: ${DEFAULT-VALUE}).")
  private String pattern = "";

  @Option(
      names = "--split",
      paramLabel = "NAME=FRACTION,...",
      description =
          "Split the samples by a hash of their keys, such as train=0.9,val=0.1. The shards of each"
              + " split are in a folder of its name.")
  private @Nullable String split;

  @Option(
      names = "--route",
      paramLabel = "FILE",
      description =
          "A file of lines KEYS to NAME, such as train/n0144* to fish-%%06d.tar: samples whose keys"
              + " match go to shards of that name. The name - leaves them out. The first line that"
              + " matches applies; other samples go to --pattern.")
  private @Nullable Path routes;

  @Option(
      names = "--group-by",
      paramLabel = "REGEX",
      description =
          "Group files by a regular expression that matches the beginning of their names. Its group"
              + " (?<key>...) is the sample's key. Its group (?<ext>...), or the text after the"
              + " match, is the extension (default: the name's first dot separates key and"
              + " extension).")
  private @Nullable String groupBy;

  @Option(
      names = "--dots",
      paramLabel = "keep|replace|refuse",
      defaultValue = "keep",
      description =
          "What to do about names with several dots, of which the first ends the key: keep them,"
              + " replace all but the last by underscores, or refuse (default: ${DEFAULT-VALUE}).")
  private Dots dots = Dots.KEEP;

  @Option(
      names = "--prefix-by",
      paramLabel = "archive",
      description =
          "Put the name of its archive before each file's, as a folder: 1.jpg of cats.tar is packed"
              + " as cats/1.jpg. Archives whose keys repeat can then be packed together.")
  private PrefixBy prefixBy = PrefixBy.NONE;

  @Option(
      names = "--reserved",
      paramLabel = "refuse|rename",
      defaultValue = "refuse",
      description =
          "What to do about the extensions __key__, __url__, __local_path__ and __bad__, which"
              + " readers need for fields of their own: refuse them, or rename them to key, url,"
              + " local_path and bad (default: ${DEFAULT-VALUE}).")
  private Reserved reserved = Reserved.REFUSE;

  @Option(
      names = "--lower-case-extensions",
      description =
          "Put extensions into lower case, as some readers do and others do not: x.JPEG is packed"
              + " as x.jpeg.")
  private boolean lowerCaseExtensions;

  @Option(
      names = "--label-from",
      paramLabel = "dirname|archive",
      description =
          "Label each sample with the number of its folder, or of its archive (with --prefix-by"
              + " archive), in a member .cls. classes.json has the numbers.")
  private LabelFrom labelFrom = LabelFrom.NONE;

  @Option(
      names = "--require",
      paramLabel = "EXT",
      split = ",",
      description = "Extensions that every sample should have, such as jpg,json.")
  private List<String> required = List.of();

  @Option(
      names = "--missing",
      paramLabel = "abort|warn|exclude",
      description =
          "What to do about a sample that lacks one: end the run, pack it with a warning, or leave"
              + " it out (default: abort).")
  private Requirement.@Nullable Missing missing;

  @Mixin private CompressionMixin compression = new CompressionMixin();

  @Option(
      names = "--append",
      description =
          "Add to the dataset at DEST. Its shards do not change, samples that it already has are"
              + " left out, and a new manifest names all shards.")
  private boolean append;

  @Option(
      names = "--overwrite",
      description =
          "Delete files at DEST that have the names of shards, of their side files or of"
              + " classes.json, if no dataset.json names them (default: refuse to pack). A dataset"
              + " is never deleted.")
  private boolean overwrite;

  @Option(
      names = "--on-error",
      paramLabel = "abort|skip",
      defaultValue = "abort",
      description =
          "What to do about an error in one file or sample: end the run, or skip it"
              + " (default: ${DEFAULT-VALUE}).")
  private OnError onError = OnError.ABORT;

  @Option(
      names = "--errors-max",
      paramLabel = "N",
      description = "Maximum number of skipped errors (default: 1000).")
  private @Nullable Long errorsMax;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description =
          "Write each file and sample that is left out, with the reason, as a line of JSON.")
  private @Nullable Path report;

  @Option(
      names = "--temp-dir",
      paramLabel = "DIR",
      description =
          "Folder for temporary files: sorted names, the plan, and the bytes of compressed archives"
              + " (default: the system's folder).")
  private @Nullable Path temporary;

  /**
   * Returns the validated options.
   *
   * @throws IllegalArgumentException naming the invalid option
   * @throws IOException if the file of routes cannot be read
   */
  public PlanOptions.Builder options() throws IOException {
    PlanOptions.Builder options =
        PlanOptions.builder()
            .pattern(new ShardPattern(pattern))
            .maximumSize(maximumSize.bytes())
            .dots(dots)
            .prefixBy(prefixBy)
            .reserved(reserved)
            .lowerCaseExtensions(lowerCaseExtensions)
            .labelFrom(labelFrom)
            .requirement(requirement())
            .order(order())
            .compression(compression.value())
            .onError(onError)
            .errorsMax(errorsMax());
    if (maximumCount != null) {
      if (maximumCount < 1) {
        throw new IllegalArgumentException("--max-count " + maximumCount + ": at least 1");
      }
      options.maximumCount(maximumCount);
    }
    if (split != null) {
      options.splits(Split.parse(split));
    }
    if (groupBy != null) {
      options.groupBy(KeyPattern.of(groupBy));
    }
    if (routes != null) {
      options.routes(
          Route.parse(routes.toString(), MemberNames.decode(Files.readAllBytes(routes))));
    }
    return options;
  }

  private Requirement requirement() {
    if (missing != null && required.isEmpty()) {
      throw new IllegalArgumentException("--missing needs --require");
    }
    return new Requirement(required, missing == null ? Requirement.Missing.ABORT : missing);
  }

  /**
   * Verifies that no option is given that the plan determines. The report of errors and the
   * temporary folder are allowed.
   *
   * @throws IllegalArgumentException naming such an option
   */
  public void requireNone() {
    for (OptionSpec option : requireNonNull(spec).commandLine().getParseResult().matchedOptions()) {
      boolean ours =
          option.userObject() instanceof Field field && DECIDED.contains(field.getDeclaringClass());
      if (ours && !WITH_A_PLAN.contains(option.longestName())) {
        throw new IllegalArgumentException(
            option.longestName() + " is not allowed with --plan; set it when the plan is made");
      }
    }
  }

  private Order order() {
    if (seed == null) {
      return order == UnseededOrder.SOURCE ? Order.BY_SOURCE : Order.BY_KEY;
    }
    if (order != null) {
      throw new IllegalArgumentException("--order and --seed exclude each other; give one of them");
    }
    return Order.shuffled(seed);
  }

  private long errorsMax() {
    if (errorsMax == null) {
      return onError == OnError.SKIP ? Faults.USUAL_ERRORS_MAX : 0;
    }
    if (onError == OnError.ABORT) {
      throw new IllegalArgumentException("--errors-max needs --on-error skip");
    }
    if (errorsMax < 0) {
      throw new IllegalArgumentException("--errors-max " + errorsMax + ": at least 0");
    }
    return errorsMax;
  }

  /** Returns whether samples keep the order of their sources. */
  public boolean keepsOrder() {
    return order == UnseededOrder.SOURCE;
  }

  /** Returns the memory and the folder for sorting. */
  public SortSpace space() {
    return temporary == null ? SortSpace.usual() : SortSpace.in(temporary);
  }

  /** Returns whether the pack appends to a dataset. */
  public boolean appends() {
    return append;
  }

  /** Returns the dataset to append to, if any. */
  public Optional<ExistingDataset> base(Storage storage, StorageUrl destination)
      throws IOException {
    return append ? Optional.of(ExistingDataset.open(storage, destination)) : Optional.empty();
  }

  /**
   * Verifies that the files that no dataset names are absent or may be deleted.
   *
   * @throws IOException naming them, if --overwrite is not given, or if one of them is a source
   */
  public void requireFree(UnnamedFiles files, PackPlaces places) throws IOException {
    if (overwrite) {
      places.requireNoSource(files.urls());
    } else {
      files.requireNone();
    }
  }

  /**
   * Verifies that the files that no dataset names are absent, or may be deleted and are not
   * planned.
   *
   * @throws IOException as above, or naming a file that is planned
   */
  public void requireFree(UnnamedFiles files, PackPlaces places, PlannedFiles planned)
      throws IOException {
    requireFree(files, places);
    planned.requireNone(files.urls(), places.destination());
  }

  /**
   * Deletes the files that no dataset names, as --overwrite asks.
   *
   * @throws IOException as {@link #requireFree} does
   */
  public void deleteUnnamed(
      Storage storage, UnnamedFiles files, PackPlaces places, PlannedFiles planned, Console console)
      throws IOException {
    requireFree(files, places, planned);
    if (!files.urls().isEmpty()) {
      files.delete(storage);
      console.warn("deleted " + files);
    }
  }

  /** Lists files and plans the pack. */
  public Plan plan(
      Planner planner, List<Source> sources, PackPlaces places, Faults faults, Console console)
      throws IOException {
    try (Progress listing = console.begin("listing", Console.UNKNOWN, Console.UNKNOWN)) {
      List<SourceView> counted =
          sources.stream().map(source -> SourceView.counted(source, listing)).toList();
      return planner.plan(
          counted,
          places.destination().toString(),
          faults,
          () ->
              append
                  ? console.begin("planning", Console.UNKNOWN, Console.UNKNOWN)
                  : console.begin("planning", listing.files(), listing.bytes()));
    }
  }

  /** Returns the error policy, with the requested report. */
  public Faults faults(PlanOptions options) throws IOException {
    if (report != null && !Faults.isReport(report)) {
      throw new FileAlreadyExistsException(
          "writing the report failed: %s exists and is no report; choose another --report FILE"
              .formatted(report));
    }
    Writer writer = report == null ? null : Files.newBufferedWriter(report, StandardCharsets.UTF_8);
    return new Faults(options.onError(), options.errorsMax(), writer);
  }
}
