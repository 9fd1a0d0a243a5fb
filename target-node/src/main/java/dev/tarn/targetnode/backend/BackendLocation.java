package dev.tarn.targetnode.backend;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.BackendSettings;
import dev.tarn.cluster.object.ObjectKey;
import java.net.URI;

/**
 * Where a bucket's objects lie in the backend.
 *
 * @param endpoint for messages
 * @param bucket the bucket there
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

  /** The backend's key for ours. */
  String key(ObjectKey key) {
    return prefix + key.text();
  }

  /** Our text for the backend's. */
  String withoutPrefix(String key) {
    return key.substring(prefix.length());
  }

  /** Text to come after in a listing: nothing stays nothing. */
  String behind(String after) {
    return after.isEmpty() ? "" : prefix + after;
  }

  @Override
  public String toString() {
    return "s3://" + bucket + "/" + prefix + " at " + endpoint;
  }
}
