package dev.tarn.sharder.cli;

import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.json.JsonText;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.cli.option.StorageMixin;
import dev.tarn.sharder.cli.output.ByteSize;
import dev.tarn.sharder.cli.output.Console;
import dev.tarn.sharder.cli.output.Counted;
import dev.tarn.sharder.cli.output.DatasetSummary;
import dev.tarn.sharder.cli.output.MemberWord;
import dev.tarn.sharder.shard.Datasets;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import dev.tarn.sharder.shard.ShardSelection;
import dev.tarn.sharder.sort.SortSpace;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists a dataset's shards, or a shard's members. */
@Command(
    description = {
      "Lists the shards of a dataset, or the members of a shard.",
      "",
      "For each member it prints the size, the offset of its data in the uncompressed shard, and"
          + " the name. Names that a line cannot show are quoted.",
    },
    footer = {
      "",
      "Examples:",
      "  sharder ls s3://data/shards",
      "  sharder ls s3://data/shards/shard-000000.tar",
    },
    mixinStandardHelpOptions = true,
    sortOptions = false)
final class LsCommand implements Callable<Integer> {
  @Mixin private StorageMixin storageOptions = new StorageMixin();
  @Mixin private Console console = new Console();

  @Parameters(
      paramLabel = "DATASET|SHARD",
      description = "A dataset's folder, or a shard: a name that ends in .tar, .tar.gz and so on.")
  private String name = "";

  @Override
  public Integer call() throws IOException {
    StorageUrl url = storageOptions.url(name);
    try (Storage storage = storageOptions.open()) {
      if (ShardPlace.isShardName(url.path())) {
        listMembers(new ShardAccess(storage, SortSpace.usual().folder()), ShardPlace.of(url));
      } else {
        listShards(Datasets.open(storage, ShardSelection.dataset(url)));
      }
    }
    return 0;
  }

  private void listMembers(ShardAccess access, ShardPlace shard) throws IOException {
    try (TarReader reader = access.headers(shard)) {
      for (TarMember member; (member = reader.next()) != null; ) {
        console.result(
            "member",
            JsonText.fields(
                "name", member.name(), "size", member.size(), "offset", member.dataOffset()),
            String.format(
                Locale.ROOT,
                "%12d %14d %s",
                member.size(),
                member.dataOffset(),
                MemberWord.print(member.name())));
      }
    }
  }

  private void listShards(DatasetManifest manifest) {
    for (ShardEntry shard : manifest.shards()) {
      console.result(
          "shard",
          JsonText.fields(
              "name",
              shard.name(),
              "bytes",
              shard.size(),
              "samples",
              shard.samples(),
              "files",
              shard.members(),
              "samples_sha256",
              shard.samplesSha256()),
          String.format(
              Locale.ROOT,
              "%12d %10d samples %10d files %s",
              shard.size(),
              shard.samples(),
              shard.members(),
              shard.name()));
    }
    console.summary(
        DatasetSummary.fields("ls", manifest),
        String.format(
            Locale.ROOT,
            "%s of %s in %s of %s%ndataset sha256:%s",
            Counted.of(manifest.samples(), "sample"),
            Counted.of(manifest.members(), "file"),
            Counted.of(manifest.shards().size(), "shard"),
            ByteSize.print(manifest.size()),
            manifest.digest()));
  }
}
