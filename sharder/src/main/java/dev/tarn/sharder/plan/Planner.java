package dev.tarn.sharder.plan;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.TemporaryFile;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.Order;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.SortSpace;
import dev.tarn.sharder.sort.SortedRecords;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Makes the plan from the files that sources list: groups files into samples, sorts the samples,
 * and cuts them into shards.
 *
 * <p>The plan depends only on the files and the options, not even on the order in which an
 * unordered source lists. An external sort bounds the memory for any number of files.
 */
public final class Planner {
  private final PlanOptions options;
  private final String encoder;
  private final SortSpace space;
  private final Optional<ExistingDataset> base;

  /**
   * The header fields that name where the plan comes from and goes to.
   *
   * @param encoder that will write the shards
   * @param destination the dataset's folder
   * @param base the digest of the manifest of the dataset that the plan appends to
   * @param sources in order
   */
  record Naming(String encoder, String destination, Optional<Sha256> base, List<String> sources) {}

  /**
   * @param encoder the name and version of the encoder that will write the shards
   */
  public Planner(PlanOptions options, String encoder, SortSpace space) {
    this(options, encoder, space, Optional.empty());
  }

  /**
   * @param encoder the name and version of the encoder that will write the shards
   * @param base a dataset to append to: the plan leaves out its samples and does not reuse the
   *     names of its shards
   */
  public Planner(
      PlanOptions options, String encoder, SortSpace space, Optional<ExistingDataset> base) {
    this.base = requireNonNull(base, "base is null");
    this.options = requireNonNull(options, "options is null");
    this.encoder = requireNonNull(encoder, "encoder is null");
    this.space = requireNonNull(space, "space is null");
  }

  /** Makes a temporary plan, which is deleted when it is closed; without a report of errors. */
  public Plan plan(List<? extends Source> sources, String destination) throws IOException {
    try (Faults faults = Faults.of(options)) {
      return plan(sources, destination, faults, Progress::new);
    }
  }

  /**
   * Makes a temporary plan, which is deleted when it is closed.
   *
   * @param destination the dataset's folder, as the plan names it
   * @param faults receives errors in files and samples
   * @param listed is called when all files are listed; counts the files that are planned
   * @throws PlanException if there are no samples, a sample has an extension twice, or a sample
   *     exceeds the maximum size of a shard
   */
  public Plan plan(
      List<? extends Source> sources, String destination, Faults faults, Supplier<Progress> listed)
      throws IOException {
    TemporaryFile file = TemporaryFile.open(space.folder(), "the plan");
    boolean done = false;
    try {
      write(sources, destination, faults, listed, file);
      Plan plan = Plan.open(new PlanBytes.Temporary(file, file.length()));
      done = true;
      return plan;
    } finally {
      if (!done) {
        file.close();
      }
    }
  }

  private void write(
      List<? extends Source> sources,
      String destination,
      Faults faults,
      Supplier<Progress> listed,
      WritableByteChannel target)
      throws IOException {
    if (sources.size() > MemberPayload.SOURCES_MAX) {
      throw new PlanException(
          sources.size() + " sources: at most " + MemberPayload.SOURCES_MAX + " at a time");
    }
    FileNames names = FileNames.of(sources);
    Classes classes = new Classes(options.labelFrom(), knownClasses());
    ShardSets sets = new ShardSets(options);
    try (ExternalSort byKey = new ExternalSort(space);
        ExternalSort bySource = new ExternalSort(space)) {
      MemberListing listing = new MemberListing(options, sets, classes, byKey, faults);
      listing.list(sources);
      if (base.isPresent()) {
        base.orElseThrow().visit(space.folder(), listing::addExisting);
      }
      try (Progress planning = listed.get()) {
        SortedRecords records = byKey.sorted();
        if (options.order().kind() == Order.Kind.SOURCE) {
          records = SourceOrder.of(records, bySource);
        }
        SampleAssembly samples =
            new SampleAssembly(
                records,
                SampleRecord.keyStart(options),
                options.prefixBy(),
                names,
                sources,
                faults);
        SamplePolicies policies = new SamplePolicies(options, classes, names, faults);
        Set<String> existing = base.map(ExistingDataset::shardNames).orElse(Set.of());
        PlanWriter writer = new PlanWriter(target, existing);
        ShardCutter cutter = new ShardCutter(options, sets, writer, existing);
        Tally.Counter upperCase = new Tally.Counter();
        for (SampleDraft sample; (sample = samples.next()) != null; ) {
          planning.add(sample.members().size(), sample.fileBytes());
          add(sample, policies, cutter, upperCase);
        }
        cutter.finish();
        PlanningFindings findings =
            new PlanningFindings(
                listing.hidden(),
                listing.outside(),
                listing.leftOut(),
                policies.missing(),
                upperCase.tally(),
                policies.present(),
                faults.skipped());
        requireSamples(cutter, findings);
        Optional<Sha256> digest = base.map(dataset -> dataset.manifest().digest());
        Naming naming = new Naming(encoder, destination, digest, names.sources());
        List<String> all =
            options.labelFrom() == LabelFrom.NONE
                ? CarriedClasses.of(classes.all(), sources, listing.labelled())
                : classes.all();
        writer.finish(cutter.header(naming, findings, all));
      }
    }
  }

  private List<String> knownClasses() throws PlanException {
    List<String> known = base.map(ExistingDataset::classes).orElse(List.of());
    if (base.isPresent() && known.isEmpty() && options.labelFrom() != LabelFrom.NONE) {
      throw new PlanException(
          "the dataset has no classes, so appended samples cannot be labelled (--label-from)");
    }
    return known;
  }

  private static void add(
      SampleDraft sample, SamplePolicies policies, ShardCutter cutter, Tally.Counter upperCase)
      throws IOException {
    if (policies.apply(sample)) {
      try {
        cutter.add(sample);
        for (SampleDraft.Member member : sample.members()) {
          if (member.isUpperCase()) {
            upperCase.add(member.planned(sample.key()).name());
          }
        }
      } catch (PlanException e) {
        policies.skip(sample, e);
      }
    }
  }

  private void requireSamples(ShardCutter cutter, PlanningFindings findings) throws PlanException {
    if (cutter.samples() > 0 || findings.present() > 0) {
      return;
    }
    if (findings.leftOut().count() + findings.missing().count() + findings.skipped() > 0) {
      throw new PlanException(
          ("nothing is left to pack: --route leaves out %d files, %d samples lack a required"
                  + " extension, %d files or samples have errors")
              .formatted(
                  findings.leftOut().count(), findings.missing().count(), findings.skipped()));
    }
    Tally outside = findings.outside();
    throw new PlanException(
        outside.count() == 0
            ? nothing(findings.hidden())
            : "none of the "
                + outside.count()
                + " files belongs to a sample: "
                + options
                    .groupBy()
                    .map(keys -> "--group-by " + keys.text() + " gives none a key and an extension")
                    .orElse(
                        "their names need a key, a dot and an extension, such as dir/000001.jpg")
                + "; the first is "
                + MemberNames.printable(outside.first().getFirst()));
  }

  private static String nothing(Tally hidden) {
    return hidden.count() == 0
        ? "there are no files to pack"
        : "there are no files to pack: all %d files and folders are hidden, such as %s; name another source, or take them with --hidden"
            .formatted(hidden.count(), MemberNames.printable(hidden.first().getFirst()));
  }
}
