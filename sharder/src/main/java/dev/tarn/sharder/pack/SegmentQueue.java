package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.PackPlan;
import dev.tarn.sharder.plan.PlannedSample;
import dev.tarn.sharder.plan.PlannedShard;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the plan into segments that fit a buffer, in the plan's order. A segment is made when a
 * worker asks for it, so that few shards are under way at a time.
 */
final class SegmentQueue {
  private final List<PlannedShard> shards;
  private final int capacity;
  private final Function<PlannedShard, ShardAssembly> open;
  private int shardNumber;
  private int sampleNumber;
  private int segmentNumber;
  private @Nullable ShardAssembly assembly;

  SegmentQueue(PackPlan plan, int capacity, Function<PlannedShard, ShardAssembly> open) {
    this.shards = plan.shards();
    this.capacity = capacity;
    this.open = open;
  }

  /** The next segment; null when all were handed out. */
  synchronized @Nullable Segment next() {
    if (shardNumber == shards.size()) {
      return null;
    }
    PlannedShard shard = shards.get(shardNumber);
    ShardAssembly current = assembly == null ? open.apply(shard) : assembly;
    assembly = current;
    int start = sampleNumber;
    long length = 0;
    while (sampleNumber < shard.samples().size()) {
      PlannedSample sample = shard.samples().get(sampleNumber);
      if (sampleNumber > start && length + sample.tarLength() > capacity) {
        break;
      }
      length += sample.tarLength();
      sampleNumber++;
    }
    boolean last = sampleNumber == shard.samples().size();
    Segment segment =
        new Segment(current, segmentNumber, shard.samples().subList(start, sampleNumber), last);
    segmentNumber++;
    if (last) {
      assembly = null;
      shardNumber++;
      sampleNumber = 0;
      segmentNumber = 0;
    }
    return segment;
  }
}
