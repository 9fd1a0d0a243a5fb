package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.option.Faults;
import dev.tarn.sharder.plan.option.LabelFrom;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import dev.tarn.sharder.sort.GrowingBytes;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Applies the policies for whole samples: adds labels and verifies that required members exist. */
final class SamplePolicies {
  /** The extension of labels. */
  static final byte[] LABEL = "cls".getBytes(StandardCharsets.US_ASCII);

  private final PlanOptions options;
  private final Classes classes;
  private final FileNames names;
  private final Faults faults;
  private final List<byte[]> required;
  private long present;
  private final Tally.Counter missing = new Tally.Counter();

  SamplePolicies(PlanOptions options, Classes classes, FileNames names, Faults faults) {
    this.options = options;
    this.classes = classes;
    this.names = names;
    this.faults = faults;
    required = options.requirement().extensions().stream().map(MemberNames::encode).toList();
  }

  /** Applies the policies to a sample; returns false if it is left out. */
  boolean apply(SampleDraft sample) throws IOException {
    if (sample.members().isEmpty()) {
      return false;
    }
    try {
      if (options.labelFrom() != LabelFrom.NONE) {
        label(sample);
      }
      return !isPresent(sample) && isAllowed(sample);
    } catch (PlanException e) {
      skip(sample, e);
      return false;
    }
  }

  /** Skips a sample because of an error. */
  void skip(SampleDraft sample, PlanException error) throws IOException {
    PlannedMember first = sample.members().getFirst().planned(sample.key());
    for (SampleDraft.Member member : sample.members()) {
      PlannedMember planned = member.planned(sample.key());
      if (planned.file().content() == null) {
        first = planned;
        break;
      }
    }
    String name = names.plain(first.sourceNumber(), first.file().name());
    faults.skip(name, first.key(), error);
  }

  private void label(SampleDraft sample) throws PlanException {
    byte[] label = classes.label(MemberNames.decode(sample.key()));
    if (label == null) {
      throw new PlanException(
          "sample "
              + sample.printableKey()
              + " lies in no folder whose name could be its class (--label-from "
              + options.labelFrom().name().toLowerCase(Locale.ROOT)
              + ")");
    }
    int at = 0;
    List<SampleDraft.Member> members = sample.members();
    while (at < members.size() && Arrays.compareUnsigned(members.get(at).extension(), LABEL) < 0) {
      at++;
    }
    if (at < members.size() && Arrays.equals(members.get(at).extension(), LABEL)) {
      throw new PlanException(
          "sample "
              + sample.printableKey()
              + " has a label already, "
              + printable(members.get(at).planned(sample.key()))
              + ", beside that of --label-from");
    }
    members.add(at, labelled(sample, label));
  }

  private String printable(PlannedMember member) {
    return names.printable(member.sourceNumber(), member.file().name());
  }

  private static SampleDraft.Member labelled(SampleDraft sample, byte[] label) {
    MemberName name = MemberName.of(sample.key(), LABEL);
    ByteBuffer content = ByteBuffer.wrap(label);
    SourceFile file = new SourceFile(name.text(), name.text(), label.length, 0, content);
    GrowingBytes payload = new GrowingBytes();
    int source = MemberPayload.source(sample.members().getFirst().payload());
    MemberPayload.put(payload, source, name, file);
    return SampleDraft.Member.of(LABEL, payload.toArray());
  }

  /** Returns whether the dataset already has the sample. */
  private boolean isPresent(SampleDraft sample) throws IOException {
    List<SampleDraft.Member> existing = sample.existing();
    if (existing.isEmpty()) {
      return false;
    }
    String before = sizes(existing);
    String now = sizes(sample.members());
    if (!before.equals(now)) {
      throw new PlanException(
          "sample "
              + sample.printableKey()
              + " is in the dataset already, but it has "
              + before
              + " there, and "
              + now
              + " now: --append adds samples, and never changes one");
    }
    present++;
    faults.report("", MemberNames.decode(sample.key()), "the dataset has it already");
    return true;
  }

  private static String sizes(List<SampleDraft.Member> members) {
    return members.stream()
        .map(member -> MemberNames.decode(member.extension()) + " of " + member.size() + " bytes")
        .collect(Collectors.joining(", "));
  }

  private boolean isAllowed(SampleDraft sample) throws IOException {
    List<String> lacks = new ArrayList<>();
    for (byte[] extension : required) {
      if (sample.members().stream().noneMatch(m -> Arrays.equals(m.extension(), extension))) {
        lacks.add(MemberNames.decode(extension));
      }
    }
    if (lacks.isEmpty()) {
      return true;
    }
    String message = "sample " + sample.printableKey() + " has no " + String.join(", ", lacks);
    String key = MemberNames.decode(sample.key());
    return switch (options.requirement().missing()) {
      case ABORT -> throw new PlanException(message + " (--require, --missing abort)");
      case WARN -> {
        missing.add(key);
        yield true;
      }
      case EXCLUDE -> {
        missing.add(key);
        faults.report("", key, message);
        yield false;
      }
    };
  }

  /** Returns the number of samples that the dataset already has. */
  long present() {
    return present;
  }

  /** Returns the samples that lack something required. */
  Tally missing() {
    return missing.tally();
  }
}
