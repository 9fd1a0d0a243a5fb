package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

/**
 * The result of a delete.
 *
 * @param existed whether there was something to delete: the named version, or an object whose
 *     newest version is not a delete marker
 * @param deleteMarker whether a delete marker was created or removed
 * @param versionText the version removed or created, as S3 shows it, or the named version if it did
 *     not exist; empty in a bucket that never had versions
 */
public record Deleted(boolean existed, boolean deleteMarker, String versionText) {
  public Deleted {
    requireNonNull(versionText, "versionText is null");
  }
}
