package dev.tarn.sharder.pack;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.ShardPlan;
import dev.tarn.sharder.source.SourceFile;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Describes the difference between two plans to a user who expected them to be equal. */
final class PlanDifference {
  private PlanDifference() {}

  /** Returns the first difference; empty if the plans are equal. */
  static Optional<String> between(Plan before, Plan now) throws IOException {
    if (before.digest().equals(now.digest())) {
      return Optional.empty();
    }
    Optional<String> inHeader = between(before.header(), now.header());
    return inHeader.isPresent() ? inHeader : Optional.of(betweenFiles(before, now));
  }

  private static Optional<String> between(PlanHeader before, PlanHeader now) {
    if (!before.encoder().equals(now.encoder())) {
      return Optional.of(
          "it was begun with the encoder %s, and this sharder has %s"
              .formatted(before.encoder(), now.encoder()));
    }
    if (!before.sources().equals(now.sources())) {
      return Optional.of("it packs %s, not %s".formatted(before.sources(), now.sources()));
    }
    if (!before.destination().equals(now.destination())) {
      return Optional.of(
          "its destination is called %s, not %s"
              .formatted(before.destination(), now.destination()));
    }
    if (!before.base().equals(now.base())) {
      return Optional.of("the dataset that it adds to has changed since it was begun");
    }
    SortedMap<String, String> left = before.options().texts();
    SortedMap<String, String> right = now.options().texts();
    TreeSet<String> names = new TreeSet<>(left.keySet());
    names.addAll(right.keySet());
    for (String name : names) {
      if (!Objects.equals(left.get(name), right.get(name))) {
        return Optional.of(
            "it was begun with another option: %s was %s, now it is %s"
                .formatted(name, value(left.get(name)), value(right.get(name))));
      }
    }
    return Optional.empty();
  }

  private static String value(@Nullable String text) {
    return text == null ? "not given" : text;
  }

  private static String betweenFiles(Plan before, Plan now) throws IOException {
    Members left = new Members(before);
    Members right = new Members(now);
    @Nullable PlannedMember was = left.next();
    @Nullable PlannedMember is = right.next();
    while (was != null && is != null && isSame(was, is)) {
      was = left.next();
      is = right.next();
    }
    if (was == null && is == null) {
      return before.header().classes().equals(now.header().classes())
          ? "the files that it leaves out have changed since it was begun"
          : "the classes of its labels have changed since it was begun";
    }
    if (was != null && is != null && was.name().equals(is.name())) {
      return "the source has changed since it was begun: " + change(was.file(), is.file());
    }
    boolean gone = was != null && !contains(right, was);
    PlannedMember member = gone || is == null ? was : is;
    return "the source has changed since it was begun: %s is %s"
        .formatted(name(Objects.requireNonNull(member)), gone ? "gone" : "new");
  }

  private static String change(SourceFile was, SourceFile is) {
    if (!was.name().equals(is.name())) {
      return "%s is now %s"
          .formatted(MemberNames.printable(was.name()), MemberNames.printable(is.name()));
    }
    return was.size() == is.size()
        ? MemberNames.printable(is.name()) + " was modified"
        : "%s had %d bytes, now it has %d"
            .formatted(MemberNames.printable(is.name()), was.size(), is.size());
  }

  private static String name(PlannedMember member) {
    return MemberNames.printable(member.file().name());
  }

  private static boolean isSame(PlannedMember was, PlannedMember is) {
    return was.name().equals(is.name())
        && was.sourceNumber() == is.sourceNumber()
        && was.file().equals(is.file());
  }

  /** Returns whether one of the remaining members has this name. */
  private static boolean contains(Members members, PlannedMember wanted) throws IOException {
    for (PlannedMember member; (member = members.next()) != null; ) {
      if (member.name().equals(wanted.name())) {
        return true;
      }
    }
    return false;
  }

  /** Iterates over the members of all shards, in order. */
  private static final class Members {
    private final Plan plan;
    private int shards;
    private int member;
    private @Nullable ShardPlan shard;

    Members(Plan plan) {
      this.plan = plan;
    }

    @Nullable PlannedMember next() throws IOException {
      while (shard == null || member == shard.shard().members()) {
        if (shards == plan.shards().size()) {
          return null;
        }
        shard = plan.shard(shards++);
        member = 0;
      }
      return shard.member(member++);
    }
  }
}
