package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.sharder.source.FileListing;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The members that a listing's files become, in the order of the listing. */
final class Members {
  private static final int LEAST_CAPACITY = 1024;

  private final Dots dots;
  private final MemberTable table = new MemberTable();
  private final Outside.Gathering outside = new Outside.Gathering();
  private int[] records = new int[LEAST_CAPACITY];
  private int count;

  private Members(Dots dots) {
    this.dots = dots;
  }

  static Members of(FileListing listing, Dots dots) throws IOException {
    Members members = new Members(dots);
    Adding adding = new Adding(members);
    listing.forEach(adding);
    if (adding.failure != null) {
      throw adding.failure;
    }
    return members;
  }

  /** Consumers throw nothing, so the first failure waits for the listing's end. */
  private static final class Adding implements Consumer<SourceFile> {
    private final Members members;
    private @Nullable PlanException failure;

    Adding(Members members) {
      this.members = members;
    }

    @Override
    public void accept(SourceFile file) {
      if (failure == null) {
        try {
          members.add(file);
        } catch (PlanException e) {
          failure = e;
        }
      }
    }
  }

  private void add(SourceFile file) throws PlanException {
    String name = dots.apply(file.name());
    SampleName sample = SampleName.parse(name);
    if (sample == null) {
      outside.add(file.name());
      return;
    }
    if (name.indexOf('\0') >= 0) {
      throw new PlanException(
          MemberNames.printable(file.name())
              + ": holds a NUL, which tar cannot express; rename it");
    }
    byte[] member = MemberNames.encode(name);
    byte[] fileName = name.equals(file.name()) ? member : MemberNames.encode(file.name());
    int keyLength = sample.key().length();
    if (member.length > name.length()) {
      keyLength = MemberNames.encode(sample.key()).length;
    }
    byte[] extension = MemberNames.encode(sample.extension());
    if (count == records.length) {
      records = Arrays.copyOf(records, count + (count >> 1));
    }
    records[count++] = table.add(member, keyLength, extension, fileName, file.size());
  }

  MemberTable table() {
    return table;
  }

  Outside outside() {
    return outside.gathered();
  }

  /** Their records by key and extension. */
  int[] sorted() {
    int[] sorted = Arrays.copyOf(records, count);
    records = new int[0];
    MemberSort.sort(table, sorted);
    return sorted;
  }
}
