package dev.tarn.sharder.inspect;

/** The policy for existing files. */
public enum Existing {
  /** Fail. */
  ABORT,
  /** Leave them as they are. */
  SKIP,
  /** Replace them. */
  REPLACE
}
