package dev.tarn.sharder.plan;

import dev.tarn.sharder.plan.SampleRecord.SourcePosition;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.plan.option.PrefixBy;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.sort.GrowingBytes;
import dev.tarn.sharder.source.RelativeNames;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a sortable record of every file that the sources list. */
final class MemberListing {
  private final PlanOptions options;
  private final ShardSets sets;
  private final Classes classes;
  private final ExternalSort sort;
  private final Faults faults;
  private final Tally.Counter hidden = new Tally.Counter();
  private final Tally.Counter outside = new Tally.Counter();
  private final Tally.Counter leftOut = new Tally.Counter();
  private final BitSet labelled = new BitSet();
  private final GrowingBytes record = new GrowingBytes();

  MemberListing(
      PlanOptions options, ShardSets sets, Classes classes, ExternalSort sort, Faults faults) {
    this.options = options;
    this.sets = sets;
    this.classes = classes;
    this.sort = sort;
    this.faults = faults;
  }

  void list(List<? extends Source> sources) throws IOException {
    FileNames names = FileNames.of(sources);
    if (options.prefixBy() == PrefixBy.ARCHIVE) {
      requirePrefixes(sources);
    }
    for (int i = 0; i < sources.size(); i++) {
      Adding adding = new Adding(i, sources.get(i), names);
      try {
        sources.get(i).list(adding);
      } catch (IOException | RuntimeException e) {
        if (adding.failure != null) {
          throw adding.failure;
        }
        throw e;
      }
    }
  }

  /** Verifies that the archives have names that tell them apart, and that labels have archives. */
  private void requirePrefixes(List<? extends Source> sources) throws PlanException {
    Map<String, Source> known = new HashMap<>();
    for (Source source : sources) {
      String archive = source.archive();
      if (archive == null) {
        if (options.labelFrom() == LabelFrom.ARCHIVE) {
          throw new PlanException(
              source.url()
                  + ": is not an archive, so --label-from archive cannot label its samples; remove"
                  + " the source or the option");
        }
        continue;
      }
      if (archive.isEmpty()) {
        throw new PlanException(
            source.url() + ": has no name before its ending for --prefix-by archive; rename it");
      }
      Source same = known.putIfAbsent(archive, source);
      if (same != null) {
        throw new PlanException(
            "%s and %s have the same name \"%s\" for --prefix-by archive; rename one of them"
                .formatted(same.url(), source.url(), archive));
      }
    }
  }

  /**
   * A consumer cannot throw IOException: the first failure ends the listing as
   * UncheckedIOException.
   */
  private final class Adding implements Consumer<SourceFile> {
    private final int source;
    private final boolean isOrdered;
    private final boolean takesHidden;
    private final FileNames names;
    private final @Nullable String prefix;
    private long listed;
    private long line;
    private int ofLine;
    private @Nullable IOException failure;

    Adding(int number, Source source, FileNames names) {
      this.source = number;
      this.isOrdered = source.isOrdered();
      this.takesHidden = options.hidden() || source.isChosen();
      this.names = names;
      this.prefix = options.prefixBy() == PrefixBy.ARCHIVE ? source.archive() : null;
    }

    @Override
    public void accept(SourceFile file) {
      try {
        if (failure == null) {
          addOrSkip(file);
        }
      } catch (IOException e) {
        failure = e;
      }
      if (failure != null) {
        throw new UncheckedIOException(failure);
      }
    }

    private void addOrSkip(SourceFile file) throws IOException {
      try {
        String plain = names.plain(source, file.name());
        if (!takesHidden && RelativeNames.isHidden(file.name())) {
          hidden.add(plain);
          faults.report(plain, "", "hidden (--hidden packs it)");
          return;
        }
        add(position(file), file, plain, prefix);
      } catch (PlanException e) {
        faults.skip(names.plain(source, file.name()), "", e);
      }
    }

    private SourcePosition position(SourceFile file) {
      if (file.line() > 0) {
        ofLine = file.line() == line ? ofLine + 1 : 0;
        line = file.line();
        return SourcePosition.ofLine(source, line, ofLine);
      }
      listed += isOrdered ? 1 : 0;
      return new SourcePosition(source, listed);
    }
  }

  private void add(SourcePosition place, SourceFile file, String plain, @Nullable String prefix)
      throws IOException {
    MemberName own = MemberName.of(file, options);
    if (own == null) {
      outside.add(plain);
      faults.report(plain, "", "its name gives no key and extension");
      return;
    }
    MemberName name = prefix == null ? own : own.within(prefix);
    if (file.content() != null && file.size() > SourceFile.CONTENT_BYTES_MAX) {
      throw new PlanException(
          plain + ": a list gives at most " + SourceFile.CONTENT_BYTES_MAX + " bytes of a member");
    }
    int set = sets.of(name.bytes(), name.keyLength());
    if (set == ShardSets.NONE) {
      leftOut.add(plain);
      faults.report(plain, name.key(), "left out by --route");
      return;
    }
    if (options.labelFrom() != LabelFrom.NONE) {
      classes.add(name.key());
    } else if (Arrays.equals(name.extension(), SamplePolicies.LABEL)) {
      labelled.set(place.source());
    }
    SampleRecord.put(record, options, set, name, place, file);
    sort.add(record.array(), record.length());
  }

  /** Adds a member of the dataset that the plan appends to. */
  void addExisting(byte[] key, byte[] extension, long size) throws IOException {
    int set = sets.of(key, key.length);
    if (set != ShardSets.NONE) {
      SampleRecord.putExisting(record, options, set, key, extension, size);
      sort.add(record.array(), record.length());
    }
  }

  /** Returns the numbers of the sources that have labels (members with extension {@code cls}). */
  BitSet labelled() {
    return labelled;
  }

  /** Returns the hidden files and folders that are left out. */
  Tally hidden() {
    return hidden.tally();
  }

  /** Returns the files that belong to no sample. */
  Tally outside() {
    return outside.tally();
  }

  /** Returns the files whose samples the routes leave out. */
  Tally leftOut() {
    return leftOut.tally();
  }
}
