package dev.tarn.sharder.inspect;

/** What to do about files that are there already. */
public enum Existing {
  /** Fail. */
  ABORT,
  /** Leave them as they are. */
  SKIP,
  /** Replace them. */
  REPLACE
}
