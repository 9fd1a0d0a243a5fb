package dev.tarn.benchmarks.policy;

/** A cache without bytes: which entries it has. */
interface SimulatedCache {
  /** Reads an entry, and keeps it if the policy says so. */
  Access read(int reference);

  /** Writes an entry, and keeps it if the policy says so. Returns whether it is kept. */
  boolean write(int reference);

  /** The result of a read. */
  enum Access {
    HIT,
    /** Fetched and kept. */
    KEPT,
    /** Fetched and not kept. */
    PASSED
  }
}
