package dev.tarn.sharder.cli.output;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.PlanHeader;
import dev.tarn.sharder.plan.PlanningFindings;
import dev.tarn.sharder.plan.Tally;
import dev.tarn.sharder.plan.option.Requirement;
import java.util.stream.Collectors;

/** Prints warnings of what a plan leaves out or packs although it is unusual. */
public final class FindingsWarnings {
  private FindingsWarnings() {}

  public static void say(PlanHeader header, Console console) {
    PlanningFindings findings = header.findings();
    Requirement requirement = header.options().requirement();
    say(
        console,
        "left out ",
        findings.hidden(),
        "hidden file",
        findings.hidden().count() == 1
            ? " or folder; --hidden packs it"
            : " and folders; --hidden packs them");
    say(
        console,
        "left out ",
        findings.outside(),
        "file",
        header.options().groupBy().isPresent()
            ? " to which --group-by gives no key and extension"
            : " without a key or an extension in the name, which readers would skip");
    say(console, "left out ", findings.leftOut(), "file", " by --route");
    say(
        console,
        requirement.missing() == Requirement.Missing.WARN ? "packs " : "left out ",
        findings.missing(),
        "sample",
        (findings.missing().count() == 1 ? " that lacks one of " : " that lack one of ")
            + String.join(", ", requirement.extensions()));
    say(
        console,
        "packs ",
        findings.upperCase(),
        "file",
        findings.upperCase().count() == 1
            ? " with an extension in upper case; --lower-case-extensions packs it in lower case"
            : " with extensions in upper case; --lower-case-extensions packs them in lower case");
    if (findings.present() > 0) {
      console.warn(
          "left out "
              + Counted.of(findings.present(), "sample")
              + " that the dataset has already: with the same key, extensions and sizes (--append"
              + " does not compare contents)");
    }
    if (findings.skipped() > 0) {
      console.warn(
          "left out "
              + Counted.of(findings.skipped(), "file")
              + (findings.skipped() == 1 ? " or sample" : " or samples")
              + " because of errors; --report FILE names "
              + (findings.skipped() == 1 ? "it" : "them"));
    }
  }

  private static void say(Console console, String verb, Tally tally, String noun, String which) {
    if (tally.count() == 0) {
      return;
    }
    String shown =
        tally.first().stream().map(MemberNames::printable).collect(Collectors.joining(", "));
    console.warn(
        verb
            + Counted.of(tally.count(), noun)
            + which
            + ": "
            + shown
            + (tally.count() > tally.first().size() ? ", ..." : ""));
  }
}
