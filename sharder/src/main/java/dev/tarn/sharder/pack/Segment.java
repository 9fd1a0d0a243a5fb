package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.PlannedSample;
import java.util.List;

/**
 * A run of a shard's samples that one worker reads at once.
 *
 * @param shard where it belongs
 * @param number of the segment within its shard, from 0
 * @param samples in order; a single one if it is larger than a buffer
 * @param isLast whether the shard ends with it
 */
record Segment(ShardAssembly shard, int number, List<PlannedSample> samples, boolean isLast) {}
