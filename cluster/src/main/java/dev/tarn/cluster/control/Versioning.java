package dev.tarn.cluster.control;

/** Whether a bucket keeps overwritten and deleted versions. Once enabled, it is never OFF again. */
public enum Versioning {
  /** An object has one version, which S3 calls {@code null}. */
  OFF,
  /** Each commit makes a version with an id of its own. */
  ENABLED,
  /** Each commit replaces the {@code null} version; versions with ids stay. */
  SUSPENDED
}
