package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.sample.SampleName;
import dev.tarn.sharder.sort.ExternalSort;
import dev.tarn.sharder.source.Source;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Makes a record to be sorted of every file that the sources list. */
final class MemberListing {
  private static final int LONGEST_NAME = 0xffff;
  private static final int LONGEST_CONTENT = ExternalSort.LONGEST_RECORD / 2;

  private final PlanOptions options;
  private final ExternalSort sort;
  private final Outside.Gathering outside = new Outside.Gathering();
  private final GrowingBytes record = new GrowingBytes();

  MemberListing(PlanOptions options, ExternalSort sort) {
    this.options = options;
    this.sort = sort;
  }

  void list(List<? extends Source> sources) throws IOException {
    for (int i = 0; i < sources.size(); i++) {
      Adding adding = new Adding(i);
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

  /** Consumers throw nothing, so the first failure breaks the listing off in disguise. */
  private final class Adding implements Consumer<SourceFile> {
    private final int source;
    private @Nullable IOException failure;

    Adding(int source) {
      this.source = source;
    }

    @Override
    public void accept(SourceFile file) {
      try {
        if (failure == null) {
          add(source, file);
        }
      } catch (IOException e) {
        failure = e;
      }
      if (failure != null) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  private void add(int source, SourceFile file) throws IOException {
    String name = options.dots().apply(file.name());
    SampleName sample = SampleName.parse(name);
    if (sample == null) {
      outside.add(file.name());
      return;
    }
    byte[] member = MemberNames.encode(name);
    check(file, member);
    int keyLength = sample.key().length();
    if (member.length > name.length()) {
      keyLength = MemberNames.encode(sample.key()).length;
    }
    SampleRecord.put(
        record, options, member, keyLength, MemberNames.encode(sample.extension()), source, file);
    sort.add(record.array(), record.length());
  }

  private static void check(SourceFile file, byte[] member) throws PlanException {
    if (file.name().indexOf('\0') >= 0) {
      throw new PlanException(
          MemberNames.printable(file.name())
              + ": holds a NUL, which tar cannot express; rename it");
    }
    if (member.length > LONGEST_NAME || file.path().length() > LONGEST_NAME) {
      throw new PlanException(
          MemberNames.printable(file.name()) + ": a name has at most " + LONGEST_NAME + " bytes");
    }
    if (file.content() != null && file.size() > LONGEST_CONTENT) {
      throw new PlanException(
          MemberNames.printable(file.name())
              + ": a list gives at most "
              + LONGEST_CONTENT
              + " bytes of a member");
    }
  }

  Outside outside() {
    return outside.gathered();
  }
}
