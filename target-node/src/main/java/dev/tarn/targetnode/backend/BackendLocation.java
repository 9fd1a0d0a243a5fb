package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectKey;
import java.net.URI;

/**
 * The location of a bucket's objects in the backend.
 *
 * @param endpoint for messages
 * @param bucket the backend's bucket
 * @param prefix put before every key; may be empty
 */
record BackendLocation(String endpoint, String bucket, String prefix) {
  BackendLocation {
    requireNonNull(endpoint, "endpoint is null");
    requireNonNull(bucket, "bucket is null");
    requireNonNull(prefix, "prefix is null");
  }

  static BackendLocation of(BackendSettings settings) {
    String endpoint = settings.endpoint().map(URI::toString).orElse("aws " + settings.region());
    return new BackendLocation(endpoint, settings.bucket(), settings.prefix());
  }

  /** The backend's key for a key of the bucket. */
  String key(ObjectKey key) {
    return prefix + key.text();
  }

  /** The bucket's key for a key of the backend. */
  String withoutPrefix(String key) {
    return key.substring(prefix.length());
  }

  /** The start-after text of a listing at the backend; empty stays empty. */
  String behind(String after) {
    return after.isEmpty() ? "" : prefix + after;
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix + " at " + endpoint;
  }
}
