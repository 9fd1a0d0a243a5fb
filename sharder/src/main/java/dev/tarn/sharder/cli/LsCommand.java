package dev.tarn.sharder.cli;

import dev.tarn.client.decompress.Decompressors;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.shard.compression.ShardStreams;
import dev.tarn.shard.manifest.DatasetManifest;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.verify.Datasets;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists a dataset's shards, or a shard's members. */
@Command(
    name = "ls",
    description = "Lists the shards of a dataset, or the members of a shard.",
    mixinStandardHelpOptions = true)
final class LsCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;
  @Mixin private StorageMixin storageOptions = new StorageMixin();

  @Parameters(
      paramLabel = "DATASET|SHARD",
      description = "The folder of a dataset, or a shard: a name that ends in .tar or .tar.gz.")
  private String name = "";

  @Override
  public Integer call() throws IOException {
    if (spec == null) {
      throw new IllegalStateException("picocli gives every command its spec");
    }
    PrintWriter out = spec.commandLine().getOut();
    StorageUrl url = storageOptions.url(name);
    try (Storage storage = storageOptions.open()) {
      if (name.matches(".*\\.(tar|tgz|tar\\.[a-z0-9]+)")) {
        listMembers(storage, url, out);
      } else {
        listShards(Datasets.open(storage, url), out);
      }
    }
    out.flush();
    return 0;
  }

  private static void listMembers(Storage storage, StorageUrl url, PrintWriter out)
      throws IOException {
    ShardStreams streams = new ShardStreams(Decompressors.ALL);
    try (TarReader reader =
        TarReader.of(url.toString(), streams.open(url.toString(), storage.open(url)))) {
      for (TarMember member; (member = reader.next()) != null; ) {
        String quoted = MemberNames.printable(member.name());
        boolean plain = quoted.length() == member.name().length() + 2;
        out.printf(
            Locale.ROOT,
            "%12d %14d %s%n",
            member.size(),
            member.dataOffset(),
            plain ? member.name() : quoted);
      }
    }
  }

  private static void listShards(DatasetManifest manifest, PrintWriter out) {
    for (ShardEntry shard : manifest.shards()) {
      out.printf(
          Locale.ROOT,
          "%12d %10d samples %10d files %s%n",
          shard.size(),
          shard.samples(),
          shard.members(),
          shard.name());
    }
    out.printf(
        Locale.ROOT,
        "%,d samples of %,d files in %,d shards of %s%ndataset sha256:%s%n",
        manifest.samples(),
        manifest.members(),
        manifest.shards().size(),
        ByteSize.print(manifest.size()),
        manifest.digest());
  }
}
