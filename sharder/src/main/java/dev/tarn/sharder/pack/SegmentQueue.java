package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.PackPlan;
import dev.tarn.sharder.plan.PlannedShard;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the plan into segments that fit a buffer, in the plan's order. A segment is made when a
 * worker asks for it, so that few shards are under way at a time.
 */
final class SegmentQueue {
  /** Begins shards; may wait until there is room for one more under way. */
  interface Opening {
    ShardAssembly open(PlannedShard shard) throws InterruptedException;
  }

  private final PackPlan plan;
  private final List<PlannedShard> shards;
  private final int capacity;
  private final Opening opening;
  private int shardNumber;
  private int nextMember;
  private int segmentNumber;
  private @Nullable ShardAssembly assembly;

  SegmentQueue(PackPlan plan, int capacity, Opening opening) {
    this.plan = plan;
    this.shards = plan.shards();
    this.capacity = capacity;
    this.opening = opening;
  }

  /** The next segment; null when all were handed out. */
  synchronized @Nullable Segment next() throws InterruptedException {
    if (shardNumber == shards.size()) {
      return null;
    }
    PlannedShard shard = shards.get(shardNumber);
    ShardAssembly current = assembly == null ? opening.open(shard) : assembly;
    assembly = current;
    int from = nextMember;
    int samples = 0;
    long length = 0;
    while (nextMember < shard.to()) {
      long sample = plan.sampleLength(nextMember);
      if (samples > 0 && length + sample > capacity) {
        break;
      }
      length += sample;
      samples++;
      nextMember = plan.sampleEnd(nextMember);
    }
    boolean last = nextMember == shard.to();
    Segment segment = new Segment(current, segmentNumber, from, nextMember, samples, length, last);
    segmentNumber++;
    if (last) {
      assembly = null;
      shardNumber++;
      segmentNumber = 0;
    }
    return segment;
  }
}
