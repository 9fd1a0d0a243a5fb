package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.sharder.Progress;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.MemberWord;
import dev.tarn.sharder.diff.DatasetDiff;
import dev.tarn.sharder.diff.Difference;
import dev.tarn.sharder.diff.Difference.Kind;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Compares two datasets. */
@Command(
    description = {
      "Lists the samples that were added, removed, changed or moved between two datasets.",
      "",
      "Samples are compared by their keys and by the digests of their files. Digests come from the"
          + " indexes; only shards without an index are read. The shard of a sample does not"
          + " matter. A moved sample has the same files under another key.",
    },
    footer = {
      "",
      "Exit code: 0 if both have the same samples, otherwise 1.",
      "",
      "Examples:",
      "  sharder diff s3://data/shards-v1 s3://data/shards-v2",
      "  sharder diff old/shard-{000..009}.tar new --json",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class DiffCommand extends ShardsCommand {
  private static final long SORT_BYTES = 48L * 1024 * 1024;

  @Parameters(
      index = "0",
      paramLabel = "A",
      description = "A dataset's folder, or a shard; braces stand for several shards.")
  private String before = "";

  @Parameters(index = "1", paramLabel = "B", description = "The other, in the same form.")
  private String after = "";

  @Override
  Integer run() throws IOException, InterruptedException {
    beginInterruption();
    List<StorageUrl> beforeUrls = storageOptions.urls(List.of(before));
    List<StorageUrl> afterUrls = storageOptions.urls(List.of(after));
    List<StorageUrl> both = new ArrayList<>(beforeUrls);
    both.addAll(afterUrls);
    int jobs = jobsOption.jobs(storageOptions, both);
    try (Storage storage = storageOptions.open()) {
      List<ShardPlace> old = ShardSelection.shards(storage, beforeUrls);
      List<ShardPlace> fresh = ShardSelection.shards(storage, afterUrls);
      DatasetDiff diff;
      try (Progress progress = console.begin("comparing", Console.UNKNOWN, Console.UNKNOWN)) {
        SortSpace space = new SortSpace(temporary.folder(), SORT_BYTES);
        diff = new DatasetDiff(new ShardAccess(storage, temporary.folder()), space, jobs, progress);
        diff.compare(old, fresh, this::print);
      }
      return report(diff);
    }
  }

  private void print(Difference difference) {
    Map<String, Object> fields =
        JsonText.fields("kind", difference.kind().text(), "key", difference.key());
    String key = MemberWord.print(difference.key());
    if (difference.kind() == Kind.MOVED) {
      fields.put("new_key", difference.newKey());
      key += " -> " + MemberWord.print(difference.newKey());
    }
    console.result(
        "difference", fields, String.format(Locale.ROOT, "%-8s %s", difference.kind().text(), key));
  }

  private int report(DatasetDiff diff) {
    Map<String, Object> fields = JsonText.fields("command", "diff", "same", diff.same());
    StringBuilder text =
        new StringBuilder(Counted.of(diff.same(), "sample"))
            .append(diff.same() == 1 ? " is the same" : " are the same");
    long differences = 0;
    for (Kind kind : Kind.values()) {
      long count = diff.count(kind);
      differences += count;
      fields.put(kind.text(), count);
      text.append(String.format(Locale.ROOT, ", %,d %s", count, kind.text()));
    }
    console.summary(fields, text.toString());
    return differences == 0 ? 0 : 1;
  }
}
