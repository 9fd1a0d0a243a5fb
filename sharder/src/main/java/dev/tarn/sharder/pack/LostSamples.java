package dev.tarn.sharder.pack;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.option.Faults;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The samples that a run skips because one of their files could not be packed. */
final class LostSamples {
  /** A sample: the number of its shard and the number of its first member in that shard. */
  private record BlockStart(int shard, int first) {}

  private final Faults faults;
  private final Set<BlockStart> blocks = ConcurrentHashMap.newKeySet();

  LostSamples(Faults faults) {
    this.faults = faults;
  }

  /** Returns whether a sample is known to be lost. */
  boolean contains(int shard, int first) {
    return !blocks.isEmpty() && blocks.contains(new BlockStart(shard, first));
  }

  /**
   * Counts the samples that a shard of an earlier run lacks.
   *
   * @throws IOException if the error policy allows no more skipped samples
   */
  void addAll(FinishedShard shard) throws IOException {
    for (FinishedShard.Lost lost : shard.lost()) {
      faults.skip(
          lost.file(),
          lost.key(),
          new IOException(
              "%s: sample %s was left out by an interrupted run"
                  .formatted(shard.entry().name(), MemberNames.printable(lost.key()))));
    }
  }

  /**
   * Skips a sample.
   *
   * @param member the member that could not be packed
   * @throws IOException if the error policy ends the run
   */
  void add(int shard, int first, PlannedMember member, IOException reason) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw reason;
    }
    faults.skip(member.file().name(), member.key(), reason);
    blocks.add(new BlockStart(shard, first));
  }
}
