package dev.tarn.sharder.pack;

import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.plan.PlannedShard;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A shard that is stored completely.
 *
 * @param entry its manifest entry
 * @param files the stored shard and its index
 * @param lost the planned samples that it lacks; only known for shards of an earlier run
 */
record FinishedShard(ShardEntry entry, List<StoredObject> files, List<Lost> lost) {
  /**
   * A sample that was skipped because of an error.
   *
   * @param file its first file
   * @param key its key
   */
  record Lost(String file, String key) {}

  FinishedShard {
    files = List.copyOf(files);
    lost = List.copyOf(lost);
  }

  /** Creates a finished shard of a plan from its index, without lost samples. */
  static FinishedShard of(
      PlannedShard shard,
      ShardIndex index,
      ByteBuffer indexFile,
      StoredObject stored,
      StoredObject storedIndex) {
    ShardEntry entry = ShardEntry.of(shard.name(), shard.split(), index, indexFile);
    return new FinishedShard(entry, List.of(stored, storedIndex), List.of());
  }

  /** Returns a copy that lacks some samples of the plan. */
  FinishedShard lacking(List<Lost> samples) {
    return new FinishedShard(entry, files, samples);
  }
}
