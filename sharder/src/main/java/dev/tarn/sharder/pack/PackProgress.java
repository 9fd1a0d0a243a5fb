package dev.tarn.sharder.pack;

import dev.tarn.sharder.plan.PlannedMember;
import dev.tarn.sharder.plan.PlannedSample;
import java.util.concurrent.atomic.LongAdder;

/** How far a run has come; many threads count, another looks. */
public final class PackProgress {
  private final LongAdder files = new LongAdder();
  private final LongAdder bytes = new LongAdder();

  void packed(PlannedSample sample) {
    files.add(sample.members().size());
    long size = 0;
    for (PlannedMember member : sample.members()) {
      size += member.file().size();
    }
    bytes.add(size);
  }

  /** How many files were read. */
  public long files() {
    return files.sum();
  }

  /** How many bytes they had. */
  public long bytes() {
    return bytes.sum();
  }
}
