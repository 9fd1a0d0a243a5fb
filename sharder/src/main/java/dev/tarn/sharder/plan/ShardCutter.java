package dev.tarn.sharder.plan;

import dev.tarn.shard.name.MemberNames;
import dev.tarn.shard.tar.TarLayout;
import java.io.IOException;
import java.util.Optional;

/** Cuts the samples, which come in order, into shards, and adds them up. */
final class ShardCutter {
  private final PlanOptions options;
  private final PlanWriter writer;
  private int shards;
  private int inShard;
  private long length;
  private long samples;
  private long members;
  private long fileBytes;
  private long largestSample;

  ShardCutter(PlanOptions options, PlanWriter writer) {
    this.options = options;
    this.writer = writer;
  }

  void add(SampleDraft sample) throws IOException {
    long tarLength = sample.tarLength();
    if (!fits(tarLength)) {
      throw new PlanException(
          "sample "
              + MemberNames.printable(MemberNames.decode(sample.key()))
              + " takes "
              + (tarLength + TarLayout.endLength(tarLength))
              + " bytes as a shard of its own, but --max-size is "
              + options.maximumSize());
    }
    if (inShard > 0
        && (inShard >= options.maximumCount().orElse(Integer.MAX_VALUE)
            || !fits(length + tarLength))) {
      endShard();
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

  private void endShard() throws IOException {
    writer.endShard(options.pattern().name(shards), Optional.empty());
    shards++;
    inShard = 0;
    length = 0;
  }

  /** Ends the last shard. */
  void finish() throws IOException {
    if (inShard > 0) {
      endShard();
    }
  }

  long samples() {
    return samples;
  }

  long members() {
    return members;
  }

  long fileBytes() {
    return fileBytes;
  }

  long largestSample() {
    return largestSample;
  }
}
