package dev.tarn.client.storage;

import dev.tarn.client.storage.StorageException.Kind;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.HttpSigner;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.endpoints.S3EndpointProvider;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * Makes GET and HEAD requests to S3: addressed by the AWS SDK's endpoint rules, once per bucket,
 * and signed by its signer. The rest of the SDK's client is left out, since its interceptors,
 * marshalling and metrics cost several times what the request does.
 */
final class S3Requests implements ObjectReads.Requests {
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final Optional<URI> endpoint;
  private final Region region;
  private final AwsCredentialsProvider credentials;
  private final boolean anonymous;
  private final Clock clock;
  private final ConcurrentMap<String, URI> buckets = new ConcurrentHashMap<>();

  S3Requests(
      Optional<URI> endpoint,
      Region region,
      AwsCredentialsProvider credentials,
      boolean anonymous) {
    this(endpoint, region, credentials, anonymous, Clock.systemUTC());
  }

  S3Requests(
      Optional<URI> endpoint,
      Region region,
      AwsCredentialsProvider credentials,
      boolean anonymous,
      Clock clock) {
    this.endpoint = endpoint;
    this.region = region;
    this.credentials = credentials;
    this.anonymous = anonymous;
    this.clock = clock;
  }

  @Override
  public SdkHttpRequest make(SdkHttpMethod method, StorageUrl url, Map<String, String> headers)
      throws StorageException {
    URI bucket = bucket(url);
    String folder = bucket.getRawPath() == null ? "" : bucket.getRawPath();
    String path =
        (folder.endsWith("/") ? folder : folder + "/")
            + SdkHttpUtils.urlEncodeIgnoreSlashes(url.path());
    SdkHttpRequest.Builder request =
        SdkHttpRequest.builder()
            .method(method)
            .protocol(bucket.getScheme())
            .host(bucket.getHost())
            .port(bucket.getPort() < 0 ? null : bucket.getPort())
            .encodedPath(path);
    headers.forEach(request::putHeader);
    return anonymous ? request.build() : signed(request.build(), credentials(url));
  }

  SdkHttpRequest signed(SdkHttpRequest request, AwsCredentials keys) {
    return signer
        .sign(signing ->
            signing
                .identity(keys)
                .request(request)
                .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                .putProperty(AwsV4HttpSigner.REGION_NAME, region.id())
                .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                .putProperty(HttpSigner.SIGNING_CLOCK, clock))
        .request();
  }

  private AwsCredentials credentials(StorageUrl url) throws StorageException {
    try {
      return credentials.resolveCredentials();
    } catch (SdkClientException e) {
      throw SdkFailures.noCredentials(url, e);
    }
  }

  /** The URL that holds a bucket's keys; path-style if an endpoint is configured. */
  private URI bucket(StorageUrl url) throws StorageException {
    URI known = buckets.get(url.authority());
    if (known != null) {
      return known;
    }
    try {
      URI found =
          S3EndpointProvider.defaultProvider()
              .resolveEndpoint(rules ->
                  rules
                      .bucket(url.authority())
                      .region(region)
                      .endpoint(endpoint.map(URI::toString).orElse(null))
                      .forcePathStyle(endpoint.isPresent()))
              .join()
              .endpointUrl()
              .toUri();
      buckets.put(url.authority(), found);
      return found;
    } catch (CompletionException | SdkClientException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new StorageException(
          Kind.INVALID, url, "no address for this bucket: " + cause.getMessage(), e);
    }
  }
}
