package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.option.ShardsMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.MemberWord;
import dev.tarn.sharder.inspect.ExtensionStats;
import dev.tarn.sharder.inspect.SampleStats;
import dev.tarn.sharder.inspect.ShardStatistics;
import dev.tarn.sharder.inspect.SizeHistogram.Bucket;
import dev.tarn.sharder.shard.ParallelShards;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Prints statistics of samples. */
@Command(
    description = {
      "Counts samples, files by extension, and the files and sizes of samples.",
      "",
      "Shards that have an index are not read.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder stats s3://data/shards",
      "  sharder stats shard-{000000..000009}.tar --json",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class StatsCommand extends ShardsCommand {
  /** Maximum lines of a table in the text output; the JSON output is complete. */
  private static final int LINES_MAX = 40;

  private static final int BAR_WIDTH = 40;

  @Mixin private ShardsMixin named = new ShardsMixin();

  @Override
  Integer run() throws IOException, InterruptedException {
    beginInterruption();
    List<StorageUrl> urls = named.urls(storageOptions);
    int jobs = jobsOption.jobs(storageOptions, urls);
    SampleStats stats = new SampleStats();
    try (Storage storage = storageOptions.open()) {
      List<ShardPlace> shards = ShardSelection.shards(storage, urls);
      ShardStatistics statistics =
          new ShardStatistics(new ShardAccess(storage, temporary.folder()));
      try (Progress progress = console.begin("reading", Console.UNKNOWN, Console.UNKNOWN)) {
        ParallelShards.run(
            shards,
            jobs,
            statistics::of,
            result -> {
              stats.add(result);
              progress.add(result.files(), result.bytes());
            });
      }
    }
    console.result("stats", fields(stats), text(stats));
    return 0;
  }

  private static Map<String, Object> fields(SampleStats stats) {
    List<Map<String, Object>> extensions = new ArrayList<>();
    stats
        .extensions()
        .forEach((extension, of) ->
            extensions.add(
                JsonText.fields(
                    "extension",
                    extension,
                    "files",
                    of.files(),
                    "bytes",
                    of.bytes(),
                    "smallest",
                    of.smallest(),
                    "largest",
                    of.largest())));
    List<Map<String, Object>> kinds = new ArrayList<>();
    stats
        .kinds()
        .forEach((kind, count) -> kinds.add(JsonText.fields("extensions", kind, "samples", count)));
    List<Map<String, Object>> sizes = new ArrayList<>();
    for (Bucket bucket : stats.sampleSizes().buckets()) {
      sizes.add(
          JsonText.fields("from", bucket.from(), "to", bucket.to(), "samples", bucket.count()));
    }
    return JsonText.fields(
        "samples",
        stats.samples(),
        "files",
        stats.files(),
        "shards",
        stats.shards(),
        "bytes",
        stats.bytes(),
        "extensions",
        extensions,
        "kinds",
        kinds,
        "sample_sizes",
        sizes);
  }

  private static String text(SampleStats stats) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s of %s in %s, %s of data%n",
            Counted.of(stats.samples(), "sample"),
            Counted.of(stats.files(), "file"),
            Counted.of(stats.shards(), "shard"),
            ByteSize.print(stats.bytes())));
    text.append(System.lineSeparator());
    text.append(
        String.format(
            Locale.ROOT,
            "%14s %10s %10s %10s %10s  %s%n",
            "files",
            "bytes",
            "smallest",
            "average",
            "largest",
            "extension"));
    stats.extensions().entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().files()))
        .limit(LINES_MAX)
        .forEach(entry -> extension(text, entry.getKey(), entry.getValue()));
    more(text, stats.extensions().size(), "extensions");
    text.append(System.lineSeparator());
    text.append(String.format(Locale.ROOT, "%14s  %s%n", "samples", "with the files"));
    stats.kinds().entrySet().stream()
        .sorted(Comparator.comparingLong(entry -> -entry.getValue()))
        .limit(LINES_MAX)
        .forEach(entry ->
            text.append(
                String.format(
                    Locale.ROOT, "%,14d  %s%n", entry.getValue(), shown(entry.getKey()))));
    more(text, stats.kinds().size(), "kinds of samples");
    text.append(System.lineSeparator());
    text.append(String.format(Locale.ROOT, "%14s  %s%n", "samples", "of the size"));
    histogram(text, stats.sampleSizes().buckets());
    return text.toString().stripTrailing();
  }

  private static void extension(StringBuilder text, String extension, ExtensionStats stats) {
    text.append(
        String.format(
            Locale.ROOT,
            "%,14d %10s %10s %10s %10s  %s%n",
            stats.files(),
            ByteSize.print(stats.bytes()),
            ByteSize.print(stats.smallest()),
            ByteSize.print(stats.bytes() / Math.max(1, stats.files())),
            ByteSize.print(stats.largest()),
            shown(extension)));
  }

  private static void histogram(StringBuilder text, List<Bucket> buckets) {
    long most = buckets.stream().mapToLong(Bucket::count).max().orElse(1);
    for (Bucket bucket : buckets) {
      int width = (int) Math.ceil((double) bucket.count() / most * BAR_WIDTH);
      text.append(
          String.format(
              Locale.ROOT,
              "%,14d  %9s and more%s%n",
              bucket.count(),
              ByteSize.print(bucket.from()),
              bucket.count() == 0 ? "" : " " + "#".repeat(width)));
    }
  }

  private static void more(StringBuilder text, int count, String what) {
    if (count > LINES_MAX) {
      text.append(
          String.format(
              Locale.ROOT, "%14s  and %,d more %s: see --json%n", "", count - LINES_MAX, what));
    }
  }

  private static String shown(String name) {
    return name.equals(SampleStats.OTHERS) ? name : MemberWord.print(name);
  }
}
