package dev.tarn.sharder.cli.option;

import dev.tarn.client.storage.StorageUrl;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The datasets and shards that a command reads. */
@Command
public final class ShardsMixin {
  @Parameters(
      arity = "1..*",
      paramLabel = "DATASET|SHARD",
      description = "Datasets' folders, and shards: names that end in .tar, .tar.gz and so on.")
  private List<String> names = List.of();

  /** Returns the URLs of the datasets and shards. */
  public List<StorageUrl> urls(StorageMixin storage) {
    return storage.urls(names);
  }
}
