package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

/**
 * What a delete did.
 *
 * @param existed whether there was something to delete: the version named, or an object whose
 *     newest version is no delete marker
 * @param deleteMarker whether a delete marker was made, or one was removed
 * @param versionText the version removed or made, as S3 shows it, and the one named where it was
 *     not there; empty in a bucket that has never had versions
 */
public record Deleted(boolean existed, boolean deleteMarker, String versionText) {
  public Deleted {
    requireNonNull(versionText, "versionText is null");
  }
}
