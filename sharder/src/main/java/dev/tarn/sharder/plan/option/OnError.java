package dev.tarn.sharder.plan.option;

/** The effect of an error in a file or a sample on the run. */
public enum OnError {
  /** The error ends the run. */
  ABORT,
  /** The file or sample is skipped, up to a limit. */
  SKIP
}
