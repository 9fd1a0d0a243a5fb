package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How a bucket keeps and serves its objects.
 *
 * @param durability what an acknowledged write has survived
 * @param verify when extents are checked against their checksums
 * @param backend the other S3 that the bucket caches; empty for a bucket that is the primary copy
 * @param freshness how long a cached object is believed; of no effect without a backend
 * @param anonymousRead whether objects may be read and listed without a signature
 */
public record BucketSettings(
    Durability durability,
    Verify verify,
    Optional<BackendSettings> backend,
    Freshness freshness,
    boolean anonymousRead) {
  /** A primary bucket: fsync, verified by the scrubber, private. */
  public static final BucketSettings PRIMARY =
      new BucketSettings(
          Durability.FSYNC, Verify.SCRUB, Optional.empty(), Freshness.REVALIDATE, false);

  public BucketSettings {
    requireNonNull(durability, "durability is null");
    requireNonNull(verify, "verify is null");
    requireNonNull(backend, "backend is null");
    requireNonNull(freshness, "freshness is null");
  }

  /** What an acknowledged write has survived. */
  public enum Durability {
    /** Bytes, record and directory entries are on the device before the answer. */
    FSYNC,
    /** They are in the operating system's memory: the default for cached data. */
    OS
  }

  /** When extents are checked against their checksums. Log records always are. */
  public enum Verify {
    /** By the scrubber alone. */
    SCRUB,
    /** On every read too. */
    ALWAYS
  }
}
