package dev.tarn.client.internal.index;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import dev.tarn.client.internal.cache.KeptFiles;
import dev.tarn.client.internal.shards.ShardSource;
import dev.tarn.shard.manifest.Sha256;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The keys of a dataset's samples, collected by one process for all that share a cache. */
public final class KeptKeys {
  private static final Logger LOG = System.getLogger("dev.tarn.client.cache");
  private static final String SUFFIX = ".keys";

  private final KeptFiles files;
  private final String name;

  /**
   * Keeps keys among these files.
   *
   * @param digests of the catalogs of the dataset's shards, in its order
   */
  public KeptKeys(KeptFiles files, List<String> digests) {
    this.files = requireNonNull(files, "files is null");
    this.name = Sha256.digest(US_ASCII.encode(String.join("\n", digests))).hex() + SUFFIX;
  }

  /** The keys, as kept or else read from all indexes. */
  SampleKeys of(List<ShardSource> shards, IndexStore indexes, int threads) throws IOException {
    SampleKeys keys =
        files.get(
            name,
            file -> read(file, shards, indexes),
            () -> {
              SampleKeys gathered = SampleKeys.of(shards, indexes, threads);
              tryTo(() -> files.write(name, gathered::write));
              return gathered;
            });
    tryTo(() -> {
      var unused = files.need(List.of(name));
    });
    return keys;
  }

  private static Optional<SampleKeys> read(Path file, List<ShardSource> shards, IndexStore indexes)
      throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return SampleKeys.read(channel, shards, indexes);
    }
  }

  private interface Keeping {
    void run() throws IOException;
  }

  /** Keys that cannot be kept can still be used. */
  private static void tryTo(Keeping keeping) {
    try {
      keeping.run();
    } catch (IOException e) {
      LOG.log(
          Level.WARNING,
          "the keys of samples cannot be cached: {0}; the next process reads them again",
          e.getMessage());
    }
  }
}
