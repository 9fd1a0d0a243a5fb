package dev.tarn.targetnode.upkeep;

import java.io.IOException;
import java.time.Duration;

/** Work that is done in the background, step by step. {@link Upkeep} runs the steps. */
public interface Job {
  /** The interval of a job that only runs when it is woken. */
  Duration UNTIL_WOKEN = Duration.ofDays(36_500);

  /** Its name in the log, such as "compaction of disk /data/1". */
  String name();

  /** The pause after a step that failed or left nothing to do. */
  Duration interval();

  /** Whether the next step is left out, for example because its disk is out of service. */
  default boolean isSuspended() {
    return false;
  }

  /**
   * Does a bounded part of the work; blocks. Returns whether more is left, which the next step does
   * without the interval.
   *
   * @throws IOException if the step failed; the next one tries again
   */
  boolean step() throws IOException;
}
