package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.sort.SortedRecords;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Groups sorted members into samples. */
final class SampleAssembly {
  private final SortedRecords records;
  private final int keyStart;
  private final ByteCursor cursor = new ByteCursor();
  private @Nullable SampleDraft following;

  SampleAssembly(SortedRecords records, int keyStart) {
    this.records = records;
    this.keyStart = keyStart;
  }

  /** The next sample; null behind the last. */
  @Nullable SampleDraft next() throws IOException {
    SampleDraft sample = following;
    following = null;
    while (records.next()) {
      int offset = records.offset() + keyStart;
      if (sample == null) {
        sample = begin(offset);
      } else if (isOf(sample, offset)) {
        cursor.skip(sample.key().length + 1);
        add(sample);
      } else {
        following = begin(offset);
        return sample;
      }
    }
    return sample;
  }

  private boolean isOf(SampleDraft sample, int offset) {
    int length = sample.key().length;
    int end = records.offset() + records.length();
    cursor.set(records.array(), offset, end - offset);
    return offset + length < end
        && records.array()[offset + length] == 0
        && Arrays.equals(sample.key(), 0, length, records.array(), offset, offset + length);
  }

  private SampleDraft begin(int offset) throws PlanException {
    cursor.set(records.array(), offset, records.offset() + records.length() - offset);
    SampleDraft sample = new SampleDraft(cursor.takeToZero());
    add(sample);
    return sample;
  }

  private void add(SampleDraft sample) throws PlanException {
    SampleDraft.Member member = new SampleDraft.Member(cursor.takeToZero(), cursor.takeRest());
    if (!sample.members().isEmpty()) {
      SampleDraft.Member last = sample.members().getLast();
      if (Arrays.equals(last.extension(), member.extension())) {
        throw twice(sample, last, member);
      }
    }
    sample.members().add(member);
  }

  private static PlanException twice(
      SampleDraft sample, SampleDraft.Member left, SampleDraft.Member right) {
    String first = left.planned(sample.key()).file().name();
    String second = right.planned(sample.key()).file().name();
    boolean ordered = MemberNames.compare(first, second) < 0;
    return new PlanException(
        MemberNames.printable(ordered ? first : second)
            + " and "
            + MemberNames.printable(ordered ? second : first)
            + " would be the same member of one sample: key "
            + MemberNames.printable(MemberNames.decode(sample.key()))
            + ", extension "
            + MemberNames.printable(MemberNames.decode(left.extension()))
            + " (which readers take in lower case); rename one of them");
  }
}
