package dev.tarn.sharder.plan.option;

/** What an error in a file or a sample does to the run. */
public enum OnError {
  /** It ends the run. */
  ABORT,
  /** The file or the sample is left out, up to a number of them. */
  SKIP
}
