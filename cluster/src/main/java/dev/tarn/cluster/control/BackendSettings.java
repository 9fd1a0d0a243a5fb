package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Optional;

/**
 * The other S3 that a bucket caches. Its text form hides the secret.
 *
 * @param endpoint where it is; empty for AWS in {@code region}
 * @param region for the signature
 * @param bucket the bucket there
 * @param prefix put before every key; may be empty
 * @param accessKeyId empty for anonymous access
 * @param secretAccessKey empty for anonymous access
 */
public record BackendSettings(
    Optional<URI> endpoint,
    String region,
    String bucket,
    String prefix,
    String accessKeyId,
    String secretAccessKey) {
  public BackendSettings {
    requireNonNull(endpoint, "endpoint is null");
    requireNonNull(region, "region is null");
    requireNonNull(bucket, "bucket is null");
    requireNonNull(prefix, "prefix is null");
    requireNonNull(accessKeyId, "accessKeyId is null");
    requireNonNull(secretAccessKey, "secretAccessKey is null");
  }

  @Override
  public String toString() {
    return "backend "
        + endpoint.map(URI::toString).orElse("aws")
        + " region "
        + region
        + " s3://"
        + bucket
        + "/"
        + prefix
        + " as "
        + (accessKeyId.isEmpty() ? "anonymous" : accessKeyId);
  }
}
