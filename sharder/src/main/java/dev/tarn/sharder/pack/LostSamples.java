package dev.tarn.sharder.pack;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.option.Faults;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The samples of a run that are left out, since a file of theirs could not be packed. */
final class LostSamples {
  /** A sample by its shard's number and that of its first member in it. */
  private record Place(int shard, int first) {}

  private final Faults faults;
  private final Set<Place> places = ConcurrentHashMap.newKeySet();

  LostSamples(Faults faults) {
    this.faults = faults;
  }

  /** Whether a sample is known to be lost. */
  boolean contains(int shard, int first) {
    return !places.isEmpty() && places.contains(new Place(shard, first));
  }

  /**
   * Counts the samples that a shard lacks which an earlier run finished.
   *
   * @throws IOException if there are too many
   */
  void addAll(FinishedShard shard) throws IOException {
    for (FinishedShard.Lost lost : shard.lost()) {
      faults.skip(
          lost.file(),
          lost.key(),
          new IOException(
              "%s: sample %s was left out by a run that was broken off"
                  .formatted(shard.entry().name(), MemberNames.printable(lost.key()))));
    }
  }

  /**
   * Leaves a sample out.
   *
   * @param member whose file could not be packed
   * @throws IOException if that is to end the run
   */
  void add(int shard, int first, PlannedMember member, IOException reason) throws IOException {
    if (Thread.currentThread().isInterrupted()) {
      throw reason;
    }
    faults.skip(member.file().name(), member.key(), reason);
    places.add(new Place(shard, first));
  }
}
