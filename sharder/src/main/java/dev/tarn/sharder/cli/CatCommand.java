package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.sharder.cli.option.OriginMixin;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.option.TemporaryMixin;
import dev.tarn.sharder.cli.output.MemberWord;
import dev.tarn.sharder.inspect.MemberCopy;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/** Writes members to standard output. */
@Command(
    description = {
      "Writes members of a shard to standard output, one after the other.",
      "",
      "If the shard has an index, only their bytes are read; otherwise the shard up to them. Names"
          + " may be quoted, as ls prints them.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder cat s3://data/shards/shard-000000.tar n01440764/10026.jpg > 10026.jpg",
      "  sharder cat shard-000000.tar.zst a.json b.json",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class CatCommand implements Callable<Integer> {
  @ParentCommand private @Nullable SharderCommand parent;
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private OriginMixin origin = new OriginMixin();
  @Mixin private TemporaryMixin temporary = new TemporaryMixin();

  @Parameters(index = "0", paramLabel = "SHARD", description = "A path, s3:// or http(s):// URL.")
  private String shard = "";

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "MEMBER",
      description = "Names as ls prints them.")
  private List<String> words = List.of();

  @Override
  public Integer call() throws IOException {
    StorageUrl url = storageOptions.url(shard);
    List<String> names = new ArrayList<>();
    try {
      words.forEach(word -> names.add(MemberWord.parse(word)));
    } catch (IllegalArgumentException e) {
      throw storageOptions.usage(e);
    }
    if (parent == null) {
      throw new IllegalStateException("picocli gives every subcommand its parent");
    }
    try (Storage storage = origin.open(storageOptions, List.of(url))) {
      OutputStream out = new BufferedOutputStream(parent.standardOutput());
      ShardAccess access = new ShardAccess(storage, temporary.folder());
      new MemberCopy(access, out).copy(ShardPlace.of(url), names);
      out.flush();
    }
    return 0;
  }
}
