package dev.tarn.sharder.plan;

import dev.tarn.shard.sample.SampleGrouping;
import dev.tarn.sharder.plan.option.PlanException;
import java.util.Locale;

/** Counts the members of one sample, which are in memory together: so they are bounded. */
final class SampleBounds {
  private static final int MEMBERS_MAX = SampleGrouping.MEMBERS_MAX;
  private static final int BYTES_MAX = 64 * 1024 * 1024;

  private int members;
  private long bytes;

  /** Begins with another sample. */
  void clear() {
    members = 0;
    bytes = 0;
  }

  /** Counts a member's record. */
  void add(byte[] extension, byte[] payload) {
    members++;
    bytes += (long) extension.length + payload.length;
  }

  /** Whether there are more than may be. */
  boolean areExceeded() {
    return members > MEMBERS_MAX || bytes > BYTES_MAX;
  }

  /** The error of a sample that exceeds them. */
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
