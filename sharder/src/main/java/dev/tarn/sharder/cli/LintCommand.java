package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.option.ShardsMixin;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.lint.Finding;
import dev.tarn.sharder.lint.Findings;
import dev.tarn.sharder.lint.Findings.Tally;
import dev.tarn.sharder.lint.Lint;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Warns of shard contents that readers interpret differently. */
@Command(
    description = {
      "Warns of content that WebDataset, wids, HuggingFace datasets, AIStore and DALI read"
          + " differently.",
      "",
      "It reads headers only; verify checks the data.",
    },
    footer = {
      "",
      "Exit code: 0; with --strict 1 if anything was found.",
      "",
      "Examples:",
      "  sharder lint s3://data/shards",
      "  sharder lint --strict laion/{00000..00099}.tar",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class LintCommand extends ShardsCommand {
  @Mixin private ShardsMixin named = new ShardsMixin();

  @Option(names = "--strict", description = "Exit with 1 if anything was found.")
  private boolean strict;

  @Override
  Integer run() throws IOException, InterruptedException {
    beginInterruption();
    List<StorageUrl> urls = named.urls(storageOptions);
    int jobs = jobsOption.jobs(storageOptions, urls);
    try (Storage storage = storageOptions.open()) {
      List<ShardPlace> shards = ShardSelection.shards(storage, urls);
      Findings findings;
      try (Progress progress = console.begin("linting", Console.UNKNOWN, Console.UNKNOWN)) {
        Lint lint =
            new Lint(
                new ShardAccess(storage, temporary.folder()), SortSpace.in(temporary.folder()));
        findings = lint.look(shards, jobs, progress);
      }
      findings.tallies().forEach(this::print);
      report(findings, shards.size());
      return strict && !findings.tallies().isEmpty() ? 1 : 0;
    }
  }

  private void print(Finding finding, Tally tally) {
    String where = tally.shards() == 0 ? "" : " in " + Counted.of(tally.shards(), "shard");
    StringBuilder text =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%s: %s%s: %s",
                finding.text(),
                Counted.of(tally.count(), "time"),
                where,
                finding.explanation()));
    for (String example : tally.examples()) {
      text.append(System.lineSeparator()).append("    ").append(example);
    }
    if (tally.count() > tally.examples().size()) {
      text.append(System.lineSeparator()).append("    ...");
    }
    console.result(
        "finding",
        JsonText.fields(
            "kind",
            finding.text(),
            "count",
            tally.count(),
            "shards",
            tally.shards(),
            "message",
            finding.explanation(),
            "examples",
            tally.examples()),
        text.toString());
  }

  private void report(Findings findings, int shards) {
    int kinds = findings.tallies().size();
    console.summary(
        JsonText.fields(
            "command", "lint", "shards", shards, "samples", findings.samples(), "findings", kinds),
        String.format(
            Locale.ROOT,
            "%s in %s: %s",
            Counted.of(findings.samples(), "sample"),
            Counted.of(shards, "shard"),
            kinds == 0 ? "nothing was found" : Counted.of(kinds, "kind") + " of findings"));
  }
}
