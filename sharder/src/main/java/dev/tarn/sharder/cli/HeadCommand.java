package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.cli.option.ShardsMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.MemberWord;
import dev.tarn.sharder.inspect.SampleHead;
import dev.tarn.sharder.inspect.SampleSketch;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Shows the first samples. */
@Command(
    description =
        "Shows the first samples: sizes of their files, texts, and descriptions of other content.",
    footer = {
      "",
      "Examples:",
      "  sharder head s3://data/shards",
      "  sharder head -n 3 shard-000000.tar.gz",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class HeadCommand implements Callable<Integer> {
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();
  @Mixin private ShardsMixin named = new ShardsMixin();

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many samples (default: ${DEFAULT-VALUE}).")
  private int count;

  @Override
  public Integer call() throws IOException {
    storageOptions.requireWithin("-n", count, 1, Integer.MAX_VALUE);
    List<StorageUrl> urls = named.urls(storageOptions);
    try (Storage storage = storageOptions.open()) {
      new SampleHead(new ShardAccess(storage, SortSpace.usual().folder()))
          .read(ShardSelection.shards(storage, urls), count, this::print);
    }
    return 0;
  }

  private void print(SampleSketch sample) {
    StringBuilder text = new StringBuilder(MemberNames.printable(sample.key()));
    text.append(" in ").append(sample.shard());
    List<Map<String, Object>> files = new ArrayList<>();
    for (SampleSketch.Member member : sample.members()) {
      String extension = MemberWord.print(member.extension());
      text.append(
          String.format(
              Locale.ROOT, "%n%12d  %-12s %s", member.size(), extension, member.content()));
      files.add(
          JsonText.fields(
              "name", member.name(), "size", member.size(), "content", member.content()));
    }
    console.result(
        "sample",
        JsonText.fields("key", sample.key(), "shard", sample.shard(), "files", files),
        text.toString());
  }
}
