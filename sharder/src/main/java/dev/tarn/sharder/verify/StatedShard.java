package dev.tarn.sharder.verify;

import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.Sha256;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.inspect.ShardPlace;
import dev.tarn.sharder.verify.Problem.Kind;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a shard's file: by the manifest, else by the index.
 *
 * @param by who says so
 * @param size of the file; nobody says it of a shard without manifest and index
 * @param sha256 of the file
 */
record StatedShard(String by, OptionalLong size, @Nullable Sha256 sha256) {
  static StatedShard of(ShardPlace shard, @Nullable ShardIndex index) {
    if (shard.entry().isPresent()) {
      ShardEntry entry = shard.entry().orElseThrow();
      return new StatedShard("the manifest", OptionalLong.of(entry.size()), entry.sha256());
    }
    return index == null
        ? new StatedShard("nobody", OptionalLong.empty(), null)
        : new StatedShard(
            "its index", OptionalLong.of(index.storedLength()), Sha256.of(index.shardSha256()));
  }

  void compare(ShardPlace shard, long size, Sha256 sha256, List<Problem> problems) {
    if (this.size.isPresent() && size != this.size.orElseThrow()) {
      problems.add(
          Problem.of(
              Kind.SHARD_SIZE,
              shard,
              "the file has %d bytes, %s says %d".formatted(size, by, this.size.orElseThrow())));
    }
    if (this.sha256 != null && !sha256.equals(this.sha256)) {
      problems.add(
          Problem.of(
              Kind.SHARD_SHA256,
              shard,
              "the SHA-256 is %s, %s says %s".formatted(sha256, by, this.sha256)));
    }
  }

  void compareCounts(ShardPlace shard, long samples, long members, List<Problem> problems) {
    if (shard.entry().isEmpty()) {
      return;
    }
    ShardEntry entry = shard.entry().orElseThrow();
    if (samples != entry.samples() || members != entry.members()) {
      problems.add(
          Problem.of(
              Kind.SHARD_COUNT,
              shard,
              "there are %d samples of %d members, the manifest says %d of %d"
                  .formatted(samples, members, entry.samples(), entry.members())));
    }
  }
}
