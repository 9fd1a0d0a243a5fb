package dev.tarn.sharder.plan;

import dev.tarn.shard.tar.TarLayout;
import dev.tarn.sharder.plan.option.PlanException;
import dev.tarn.sharder.plan.option.PlanOptions;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Cuts the ordered samples into shards, and sums up the plan's totals. */
final class ShardCutter {
  private final PlanOptions options;
  private final ShardSets sets;
  private final PlanWriter writer;
  private final Set<String> existing;
  private int set = ShardSets.NONE;
  private int number;
  private int inShard;
  private long length;
  private long samples;
  private long members;
  private long fileBytes;
  private long largestSample;

  /**
   * @param existing the names of existing shards
   */
  ShardCutter(PlanOptions options, ShardSets sets, PlanWriter writer, Set<String> existing) {
    this.options = options;
    this.sets = sets;
    this.writer = writer;
    this.existing = existing;
  }

  /**
   * Adds a sample to the current shard, or to a new one if the current shard has no room.
   *
   * @throws PlanException if the sample does not fit in any shard; it is not added then
   */
  void add(SampleDraft sample) throws IOException {
    long tarLength = sample.tarLength();
    if (!fits(tarLength)) {
      throw new PlanException(
          "sample "
              + sample.printableKey()
              + " takes "
              + (tarLength + TarLayout.endLength(tarLength))
              + " bytes as a shard of its own, but --max-size is "
              + options.maximumSize());
    }
    if (sample.set() != set) {
      finish();
      set = sample.set();
      number = sets.get(set).firstNumber(existing);
    }
    if (inShard >= options.maximumCount().orElse(Integer.MAX_VALUE)
        || !fits(length + tarLength)
        || !writer.hasRoom(sample)) {
      finish();
    }
    writer.add(sample, tarLength);
    inShard++;
    length += tarLength;
    samples++;
    members += sample.members().size();
    fileBytes += sample.fileBytes();
    largestSample = Math.max(largestSample, tarLength);
  }

  private boolean fits(long membersLength) {
    return membersLength + TarLayout.endLength(membersLength) <= options.maximumSize();
  }

  /** Ends the current shard. */
  void finish() throws IOException {
    if (inShard > 0) {
      ShardSet shards = sets.get(set);
      writer.endShard(shards.name(number), shards.split());
      number++;
      inShard = 0;
      length = 0;
    }
  }

  /** Returns the plan's header; call it only after all samples were added. */
  PlanHeader header(Planner.Naming naming, PlanningFindings findings, List<String> classes) {
    return new PlanHeader(
        naming.encoder(),
        naming.destination(),
        naming.base(),
        naming.sources(),
        options,
        findings,
        classes,
        samples,
        members,
        fileBytes,
        largestSample);
  }

  long samples() {
    return samples;
  }
}
