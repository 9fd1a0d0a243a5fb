package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * How a bucket keeps and serves its objects.
 *
 * @param durability when a write is acknowledged
 * @param verify when the checksums of extents are verified
 * @param backend of a cached bucket; empty for a primary bucket
 * @param freshness how long a cached object is fresh; no effect without a backend
 * @param anonymousRead whether objects may be read and listed without a signature
 * @param hideBackend whether answers to reads of a manifest do not name the backend; no effect
 *     without a backend
 */
public record BucketSettings(
    Durability durability,
    Verify verify,
    Optional<BackendSettings> backend,
    Freshness freshness,
    boolean anonymousRead,
    boolean hideBackend) {
  /** A primary bucket: fsync, verified by the scrubber, private. */
  public static final BucketSettings PRIMARY =
      new BucketSettings(
          Durability.FSYNC, Verify.SCRUB, Optional.empty(), Freshness.REVALIDATE, false);

  /** The settings of a bucket that does not hide its backend. */
  public BucketSettings(
      Durability durability,
      Verify verify,
      Optional<BackendSettings> backend,
      Freshness freshness,
      boolean anonymousRead) {
    this(durability, verify, backend, freshness, anonymousRead, false);
  }

  public BucketSettings {
    requireNonNull(durability, "durability is null");
    requireNonNull(verify, "verify is null");
    requireNonNull(backend, "backend is null");
    requireNonNull(freshness, "freshness is null");
  }

  /** When a write is acknowledged. */
  public enum Durability {
    /** When bytes, record and directory entries are on the device. */
    FSYNC,
    /** When they are in the operating system's memory: the default for cached data. */
    OS
  }

  /** When the checksums of extents are verified. Those of log records always are. */
  public enum Verify {
    /** By the scrubber only. */
    SCRUB,
    /** Also on every read. */
    ALWAYS
  }
}
