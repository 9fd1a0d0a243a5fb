package dev.tarn.sharder.cli.option;

import dev.tarn.shard.compression.Compression;
import dev.tarn.sharder.plan.option.ShardCompression;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The options of shard compression. */
@Command
final class CompressionMixin {
  /** The methods that the user can choose. */
  enum Method {
    NONE,
    GZIP,
    ZSTD
  }

  @Option(
      names = "--compress",
      paramLabel = "none|gzip|zstd",
      defaultValue = "none",
      description =
          "Compress shards in blocks of up to 4 MiB, so that the index leads into the middle of"
              + " them; .gz or .zst is appended to their names (default: ${DEFAULT-VALUE}).")
  private Method method = Method.NONE;

  @Option(
      names = "--level",
      paramLabel = "N",
      description =
          "Compression level: 1 to 9 for gzip (default: 6), 1 to 19 for zstd (default: 3).")
  private @Nullable Integer level;

  /**
   * Returns the chosen compression.
   *
   * @throws IllegalArgumentException if the method does not have the level
   */
  ShardCompression value() {
    return new ShardCompression(
        method == Method.NONE
            ? Optional.empty()
            : Optional.of(Compression.named(method.name().toLowerCase(Locale.ROOT))),
        level == null ? OptionalInt.empty() : OptionalInt.of(level));
  }
}
