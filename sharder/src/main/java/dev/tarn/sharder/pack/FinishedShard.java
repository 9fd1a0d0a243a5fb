package dev.tarn.sharder.pack;

import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.manifest.ShardEntry;
import dev.tarn.sharder.plan.PlannedShard;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A shard that is there.
 *
 * @param entry what the manifest says of it
 * @param files it and its index, as they are stored
 * @param lost the samples of the plan that it lacks, if it was there already
 */
record FinishedShard(ShardEntry entry, List<StoredObject> files, List<Lost> lost) {
  /**
   * A sample that was left out because of an error.
   *
   * @param file the first of it
   * @param key the sample's
   */
  record Lost(String file, String key) {}

  FinishedShard {
    files = List.copyOf(files);
    lost = List.copyOf(lost);
  }

  /** The shard that an index describes, which is of the plan's, when its losses are known. */
  static FinishedShard of(
      PlannedShard shard,
      ShardIndex index,
      ByteBuffer indexFile,
      StoredObject stored,
      StoredObject storedIndex) {
    ShardEntry entry = ShardEntry.of(shard.name(), shard.split(), index, indexFile);
    return new FinishedShard(entry, List.of(stored, storedIndex), List.of());
  }

  /** The same without some samples of the plan. */
  FinishedShard lacking(List<Lost> samples) {
    return new FinishedShard(entry, files, samples);
  }
}
