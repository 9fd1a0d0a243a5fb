package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.SampleRecord.SourcePosition;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PrefixBy;
import dev.tarn.sharder.sort.ByteCursor;
import dev.tarn.sharder.sort.SortedRecords;
import dev.tarn.sharder.source.Source;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Groups sorted members into samples. */
final class SampleAssembly {
  private final SortedRecords records;
  private final int keyStart;
  private final FileNames names;
  private final List<? extends Source> sources;
  private final PrefixBy prefixBy;
  private final Faults faults;
  private final ByteCursor cursor = new ByteCursor();
  private final SampleBounds bounds = new SampleBounds();
  private long lastPlace;
  private @Nullable SampleDraft following;

  /**
   * @param keyStart the number of bytes before the key of a record
   * @param prefixBy what the plan puts before the names of files
   */
  SampleAssembly(
      SortedRecords records,
      int keyStart,
      PrefixBy prefixBy,
      FileNames names,
      List<? extends Source> sources,
      Faults faults) {
    this.sources = sources;
    this.prefixBy = prefixBy;
    this.records = records;
    this.keyStart = keyStart;
    this.names = names;
    this.faults = faults;
  }

  /** Returns the next sample; without members if it was rejected; null after the last. */
  @Nullable SampleDraft next() throws IOException {
    SampleDraft sample = following;
    following = null;
    while (records.next()) {
      if (sample == null) {
        sample = begin();
      } else if (isOf(sample)) {
        cursor.skip(keyStart + sample.key().length + 1);
        add(sample);
      } else {
        following = begin();
        return sample;
      }
    }
    return sample;
  }

  private boolean isOf(SampleDraft sample) {
    byte[] array = records.array();
    int length = sample.key().length;
    int start = records.offset() + keyStart;
    int end = records.offset() + records.length();
    cursor.set(array, records.offset(), records.length());
    return start + length < end
        && array[start + length] == 0
        && Arrays.equals(sample.key(), 0, length, array, start, start + length);
  }

  private SampleDraft begin() throws IOException {
    cursor.set(records.array(), records.offset(), records.length());
    int set = cursor.takeShort();
    cursor.skip(keyStart - Short.BYTES);
    SampleDraft sample = new SampleDraft(set, cursor.takeToZero());
    bounds.clear();
    add(sample);
    return sample;
  }

  private void add(SampleDraft sample) throws IOException {
    if (bounds.areExceeded()) {
      return;
    }
    byte[] extension = cursor.takeToZero();
    long place = cursor.takeLong();
    long placeBefore = lastPlace;
    lastPlace = place;
    SampleDraft.Member member = SampleDraft.Member.of(extension, cursor.takeRest());
    if (member.isExisting()) {
      sample.addExisting(member);
      return;
    }
    bounds.add(member.extension(), member.payload());
    if (bounds.areExceeded()) {
      refuse(sample, member);
      return;
    }
    if (!sample.members().isEmpty()) {
      SampleDraft.Member last = sample.members().getLast();
      if (Arrays.equals(last.extension(), member.extension())) {
        skipOne(sample, new Placed(last, placeBefore), new Placed(member, place));
        return;
      }
    }
    sample.members().add(member);
  }

  private void refuse(SampleDraft sample, SampleDraft.Member member) throws IOException {
    PlannedMember last = member.planned(sample.key());
    sample.members().clear();
    faults.skip(
        names.plain(last.sourceNumber(), last.file().name()), last.key(), bounds.exceeded(sample));
  }

  /**
   * Resolves two files that would be the same member. Keeps the one listed first, or, if the source
   * is unordered, the one whose name sorts first.
   */
  private void skipOne(SampleDraft sample, Placed last, Placed next) throws IOException {
    PlannedMember one = last.member.planned(sample.key());
    PlannedMember other = next.member.planned(sample.key());
    boolean ordered =
        last.place != next.place
            || MemberNames.compare(one.file().name(), other.file().name()) <= 0;
    PlannedMember kept = ordered ? one : other;
    PlannedMember skipped = ordered ? other : one;
    if (!ordered) {
      sample.members().set(sample.members().size() - 1, next.member);
    }
    boolean alike =
        one.sourceNumber() == other.sourceNumber() && one.file().name().equals(other.file().name());
    String message =
        printable(kept, ordered ? last.place : next.place, alike)
            + " and "
            + printable(skipped, ordered ? next.place : last.place, alike)
            + " would be the same member of one sample: key "
            + sample.printableKey()
            + ", extension "
            + MemberNames.printable(MemberNames.decode(last.member.extension()))
            + " (which readers take in lower case); rename one of them"
            + (isUnprefixed(one, other) ? ", or pack with --prefix-by archive" : "");
    faults.skip(
        names.plain(skipped.sourceNumber(), skipped.file().name()),
        skipped.key(),
        new PlanException(message));
  }

  private boolean isUnprefixed(PlannedMember one, PlannedMember other) {
    return prefixBy == PrefixBy.NONE
        && one.sourceNumber() != other.sourceNumber()
        && sources.get(one.sourceNumber()).archive() != null
        && sources.get(other.sourceNumber()).archive() != null;
  }

  private String printable(PlannedMember member, long place, boolean withPlace) {
    String name = names.printable(member.sourceNumber(), member.file().name());
    long line = SourcePosition.line(place);
    if (line > 0) {
      return name + " (line " + line + ")";
    }
    return withPlace
        ? name + " (" + sources.get(member.sourceNumber()).where(member.file()) + ")"
        : name;
  }

  /** A member and the number of its {@link SourcePosition}. */
  private record Placed(SampleDraft.Member member, long place) {}
}
