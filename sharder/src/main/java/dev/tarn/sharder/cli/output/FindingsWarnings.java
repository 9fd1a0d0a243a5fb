package dev.tarn.sharder.cli.output;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.PlanningFindings;
import dev.tarn.sharder.plan.Tally;
import dev.tarn.sharder.plan.option.Requirement;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints warnings of what a plan leaves out. */
public final class FindingsWarnings {
  private FindingsWarnings() {}

  public static void say(PlanHeader header, Console console) {
    PlanningFindings findings = header.findings();
    Requirement requirement = header.options().requirement();
    String lacks = " that lack one of " + String.join(", ", requirement.extensions());
    say(console, "left out %,d hidden files and folders; --hidden packs them", findings.hidden());
    say(
        console,
        header
            .options()
            .groupBy()
            .map(keys -> "left out %,d files to which --group-by gives no key and extension")
            .orElse(
                "left out %,d files whose names have no key or extension, so that readers would"
                    + " skip them"),
        findings.outside());
    say(console, "left out %,d files by --route", findings.leftOut());
    say(
        console,
        requirement.missing() == Requirement.Missing.WARN
            ? "packs %,d samples" + lacks
            : "left out %,d samples" + lacks,
        findings.missing());
    if (findings.present() > 0) {
      console.warn(
          String.format(
              Locale.ROOT,
              "left out %,d samples that the dataset has already",
              findings.present()));
    }
    if (findings.skipped() > 0) {
      console.warn(
          String.format(
              Locale.ROOT,
              "left out %,d files or samples because of errors; --report FILE names them",
              findings.skipped()));
    }
  }

  private static void say(Console console, String format, Tally tally) {
    if (tally.count() == 0) {
      return;
    }
    String shown =
        tally.first().stream().map(MemberNames::printable).collect(Collectors.joining(", "));
    console.warn(
        String.format(Locale.ROOT, format, tally.count())
            + ": "
            + shown
            + (tally.count() > tally.first().size() ? ", ..." : ""));
  }
}
