package dev.tarn.sharder.plan.option;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.compression.Compression;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The compression of shards.
 *
 * @param method gzip or zstd; absent if shards are not compressed
 * @param level of the method; absent for its default
 */
public record ShardCompression(Optional<Compression> method, OptionalInt level) {
  /** Shards are not compressed. */
  public static final ShardCompression NONE =
      new ShardCompression(Optional.empty(), OptionalInt.empty());

  private static final int GZIP_LEVEL_MAX = 9;

  /** Higher levels take gigabytes of memory for a single large sample. */
  private static final int ZSTD_LEVEL_MAX = 19;

  public ShardCompression {
    requireNonNull(method, "method is null");
    requireNonNull(level, "level is null");
    if (method.isEmpty() && level.isPresent()) {
      throw new IllegalArgumentException("a level needs gzip or zstd");
    }
    method.ifPresent(chosen -> check(chosen, level));
  }

  private static void check(Compression method, OptionalInt level) {
    int maximum =
        switch (method) {
          case GZIP -> GZIP_LEVEL_MAX;
          case ZSTD -> ZSTD_LEVEL_MAX;
          case BZIP2, XZ ->
              throw new IllegalArgumentException(
                  "shards are compressed by gzip or zstd, not by " + method.text());
        };
    if (level.orElse(1) < 1 || level.orElse(1) > maximum) {
      throw new IllegalArgumentException(
          "level "
              + level.orElseThrow()
              + ": "
              + method.text()
              + " has levels from 1 to "
              + maximum);
    }
  }

  /** Returns the suffix that is appended to the pattern's shard names. */
  public String suffix() {
    return switch (method.orElse(null)) {
      case GZIP -> ".gz";
      case ZSTD -> ".zst";
      case null, default -> "";
    };
  }
}
