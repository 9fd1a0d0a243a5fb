package dev.tarn.sharder.inspect;

import static java.util.Objects.requireNonNull;

import dev.tarn.shard.index.IndexedMember;
import dev.tarn.shard.index.ShardIndex;
import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.shard.tar.TarMember;
import dev.tarn.shard.tar.TarReader;
import dev.tarn.sharder.shard.OpenIndex;
import dev.tarn.sharder.shard.ShardAccess;
import dev.tarn.sharder.shard.ShardPlace;
import java.io.IOException;

/** Collects the statistics of a shard, from its index if it has one. */
public final class ShardStatistics {
  private final ShardAccess access;

  public ShardStatistics(ShardAccess access) {
    this.access = requireNonNull(access, "access is null");
  }

  /** Returns the statistics of one shard. */
  public SampleStats of(ShardPlace shard) throws IOException {
    SampleStats stats = new SampleStats();
    try (OpenIndex index = access.index(shard)) {
      if (index == null) {
        read(shard, stats);
      } else {
        read(index.index(), stats);
      }
    }
    stats.endShard();
    return stats;
  }

  private static void read(ShardIndex index, SampleStats stats) throws IOException {
    for (int sample = 0; sample < index.sampleCount(); sample++) {
      for (IndexedMember member : index.sample(sample).members()) {
        stats.addFile(member.extension(), member.size());
      }
      stats.endSample();
    }
  }

  private void read(ShardPlace shard, SampleStats stats) throws IOException {
    SampleGrouping grouping = new SampleGrouping(shard.toString());
    try (TarReader reader = access.headers(shard)) {
      for (TarMember member; (member = reader.next()) != null; ) {
        SampleGrouping.Role role = grouping.add(member);
        if (role == SampleGrouping.Role.OUTSIDE) {
          continue;
        }
        if (role == SampleGrouping.Role.FIRST) {
          stats.endSample();
        }
        stats.addFile(grouping.extension(), member.size());
      }
    }
  }
}
