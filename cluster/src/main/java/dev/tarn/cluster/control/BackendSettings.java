package dev.tarn.cluster.control;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.util.Optional;

/**
 * The settings of a bucket's backend. {@code toString} hides the secret.
 *
 * @param endpoint of the backend; empty for AWS in {@code region}
 * @param region for the signature
 * @param bucket the backend's bucket
 * @param prefix the folder that holds the objects, put before every key; it ends with a slash,
 *     which is added if it is missing; empty for the whole bucket
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
  /** The limit of each text in characters: the length of an S3 key, which no prefix can exceed. */
  private static final int LENGTH_MAX = 1024;

  public BackendSettings {
    requireNonNull(endpoint, "endpoint is null");
    requireNonNull(region, "region is null");
    requireNonNull(bucket, "bucket is null");
    requireNonNull(prefix, "prefix is null");
    requireNonNull(accessKeyId, "accessKeyId is null");
    requireNonNull(secretAccessKey, "secretAccessKey is null");
    prefix = prefix.isEmpty() || prefix.endsWith("/") ? prefix : prefix + "/";
    if (bucket.isEmpty()) {
      throw new IllegalArgumentException("backend bucket is empty; name the bucket to cache");
    }
    if (accessKeyId.isEmpty() != secretAccessKey.isEmpty()) {
      throw new IllegalArgumentException(
          "backend credentials are half given; give access key id and secret, or neither");
    }
    endpoint.ifPresent(BackendSettings::checkEndpoint);
    checkLength("region", region);
    checkLength("bucket", bucket);
    checkLength("prefix", prefix);
    checkLength("access key id", accessKeyId);
    checkLength("secret", secretAccessKey);
  }

  private static void checkEndpoint(URI endpoint) {
    String scheme = endpoint.getScheme();
    if (endpoint.getHost() == null || !("http".equals(scheme) || "https".equals(scheme))) {
      throw new IllegalArgumentException(
          "backend endpoint is '" + endpoint + "', must be http://HOST[:PORT] or https://...");
    }
    checkLength("endpoint", endpoint.toString());
  }

  private static void checkLength(String field, String value) {
    if (value.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "backend " + field + " has " + value.length() + " characters, at most " + LENGTH_MAX);
    }
  }

  /** The endpoint without a user, a password or a query. */
  public Optional<String> endpointWithoutSecrets() {
    return endpoint.map(url ->
        url.getScheme()
            + "://"
            + url.getHost()
            + (url.getPort() < 0 ? "" : ":" + url.getPort())
            + url.getRawPath());
  }

  @Override
  public String toString() {
    return "backend "
        + endpointWithoutSecrets().orElse("aws")
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
