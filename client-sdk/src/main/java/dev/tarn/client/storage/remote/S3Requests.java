package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
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
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.endpoints.S3EndpointProvider;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/** S3 reads: addressed by the SDK's endpoint rules (once per bucket), signed with few steps. */
final class S3Requests implements RequestMaker {
  private final Optional<URI> endpoint;
  private final Region region;
  private final AwsCredentialsProvider credentials;
  private final boolean anonymous;
  private final SignatureV4 signature;
  private final ConcurrentMap<String, URI> buckets = new ConcurrentHashMap<>();

  S3Requests(
      Optional<URI> endpoint,
      Region region,
      AwsCredentialsProvider credentials,
      boolean anonymous) {
    this.endpoint = endpoint;
    this.region = region;
    this.credentials = credentials;
    this.anonymous = anonymous;
    this.signature = new SignatureV4(region.id(), Clock.systemUTC());
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
    Map<String, String> sent =
        anonymous
            ? headers
            : signature.sign(
                credentials(url), method.name(), bucket.getRawAuthority(), path, headers);
    sent.forEach(request::putHeader);
    return request.build();
  }

  private AwsCredentials credentials(StorageUrl url) throws StorageException {
    try {
      return credentials.resolveCredentials();
    } catch (SdkClientException e) {
      throw Failures.noCredentials(url, e);
    }
  }

  /** The URL under which a bucket's keys are: path-style at an endpoint of one's own. */
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
