package dev.tarn.sharder.plan;

import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.sharder.plan.option.PlanException;
import java.util.Locale;

/** Limits the members of one sample, because they are in memory together. */
final class SampleBounds {
  private static final int MEMBERS_MAX = SampleGrouping.MEMBERS_MAX;
  private static final int BYTES_MAX = 64 * 1024 * 1024;

  private int members;
  private long bytes;

  /** Starts counting another sample. */
  void clear() {
    members = 0;
    bytes = 0;
  }

  /** Counts a member's record. */
  void add(byte[] extension, byte[] payload) {
    members++;
    bytes += (long) extension.length + payload.length;
  }

  /** Returns whether the sample exceeds a limit. */
  boolean areExceeded() {
    return members > MEMBERS_MAX || bytes > BYTES_MAX;
  }

  /** Returns the error for a sample that exceeds a limit. */
  PlanException exceeded(SampleDraft sample) {
    return new PlanException(
        String.format(
            Locale.ROOT,
            "sample %s has more than %s: choose --dots replace, so that each file is a sample of"
                + " its own, or --group-by",
            sample.printableKey(),
            members > MEMBERS_MAX
                ? String.format(Locale.ROOT, "%,d members", MEMBERS_MAX)
                : (BYTES_MAX >> 20) + " MiB of names and listed contents"));
  }
}
