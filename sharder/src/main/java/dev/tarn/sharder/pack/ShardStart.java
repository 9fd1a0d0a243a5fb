package dev.tarn.sharder.pack;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StoredObject;
import dev.tarn.shard.tar.HeaderEncoder;
import dev.tarn.sharder.plan.Plan;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.option.OnError;
import dev.tarn.sharder.plan.option.PlanOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The start of a planned shard, known before its files are read: its length, and the headers of its
 * first member. A shard without its index is compared with both. A shard that is compressed or may
 * lack samples has no planned bytes.
 */
final class ShardStart {
  private ShardStart() {}

  /**
   * Returns whether a stored shard is certainly not the planned one.
   *
   * @param number of the shard in the plan
   */
  static boolean differs(Storage storage, Plan plan, int number, StoredObject stored)
      throws IOException {
    PlanOptions options = plan.header().options();
    if (options.compression().method().isPresent() || options.onError() == OnError.SKIP) {
      return false;
    }
    if (stored.size() != plan.shards().get(number).length()) {
      return true;
    }
    PlannedMember first = plan.shard(number).member(0);
    ByteBuffer headers = ByteBuffer.allocate(first.headerLength());
    new HeaderEncoder(options.time()).encode(headers, first.nameBytes(), first.file().size());
    try (ObjectStream start = storage.open(stored.url(), 0, headers.capacity(), null)) {
      return !Arrays.equals(headers.array(), start.readNBytes(headers.capacity()));
    }
  }
}
