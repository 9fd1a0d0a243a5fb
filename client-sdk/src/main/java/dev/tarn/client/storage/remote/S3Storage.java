package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The S3 side of the remote storage: hot reads of our own, the rest through the SDK's client. */
final class S3Storage implements AutoCloseable {
  /** Not allowed, gone in the meantime, or not implemented: what is left stays. */
  private static final Set<Integer> MAY_NOT_BE_DISCARDED = Set.of(403, 404, 405, 501);

  private final StorageOptions options;
  private final AwsCredentialsProvider credentials;
  private final ObjectReads reads;
  private final S3Client client;

  /**
   * @param http for writes and listings
   * @param exchange for reads
   * @param direct for reads past the gateways
   */
  S3Storage(
      AwsConfiguration configuration,
      SdkHttpClient http,
      Exchange exchange,
      Optional<DirectReads> direct,
      StorageOptions options) {
    this.options = options;
    this.credentials = configuration.credentials();
    S3Requests requests =
        new S3Requests(
            configuration.endpoint(), configuration.region(), credentials, options.anonymous());
    this.reads = new ObjectReads(exchange, requests, direct, options);
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .credentialsProvider(credentials)
            .region(configuration.region())
            // A part is in memory anyway: sending it in vain costs less than a round trip for each.
            .serviceConfiguration(settings -> settings.expectContinueEnabled(false))
            .forcePathStyle(configuration.endpoint().isPresent())
            .overrideConfiguration(override ->
                override.retryStrategy(
                    StandardRetryStrategy.builder()
                        .maxAttempts(options.retries().attemptsMax())
                        .build()));
    configuration.endpoint().ifPresent(builder::endpointOverride);
    this.client = builder.build();
  }

  ObjectReads reads() {
    return reads;
  }

  Stream<StoredObject> list(StorageUrl folder) throws StorageException {
    return S3Listing.of(client, folder);
  }

  ObjectWriter create(StorageUrl url) throws StorageException {
    checkKey(url);
    return new S3Writer(client, url, options.partBytes());
  }

  void delete(StorageUrl url) throws StorageException {
    checkKey(url);
    try {
      client.deleteObject(request -> request.bucket(url.authority()).key(url.path()));
    } catch (SdkException e) {
      throw Failures.translate(url, "cannot delete it", e);
    }
  }

  void discardUnfinished(StorageUrl folder, Set<String> names) throws StorageException {
    String prefix = folder.folderPath();
    try {
      var uploads =
          client
              .listMultipartUploadsPaginator(
                  request -> request.bucket(folder.authority()).prefix(prefix))
              .uploads();
      for (MultipartUpload upload : uploads) {
        if (names.contains(upload.key().substring(prefix.length()))) {
          abort(folder, upload);
        }
      }
    } catch (SdkException e) {
      requireMayNotBeDiscarded(folder, e);
    }
  }

  private void abort(StorageUrl folder, MultipartUpload upload) throws StorageException {
    try {
      client.abortMultipartUpload(request ->
          request.bucket(folder.authority()).key(upload.key()).uploadId(upload.uploadId()));
    } catch (SdkException e) {
      requireMayNotBeDiscarded(folder, e);
    }
  }

  private static void requireMayNotBeDiscarded(StorageUrl folder, SdkException failure)
      throws StorageException {
    if (!(failure instanceof S3Exception answer)
        || !MAY_NOT_BE_DISCARDED.contains(answer.statusCode())) {
      throw Failures.translate(folder, "cannot abort its unfinished uploads", failure);
    }
  }

  @Override
  public void close() {
    client.close();
    if (credentials instanceof @Nullable AutoCloseable closeable) {
      closeQuietly(closeable);
    }
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      throw new IllegalStateException("cannot close the credentials provider", e);
    }
  }

  private static void checkKey(StorageUrl url) throws StorageException {
    if (url.path().isEmpty() || url.path().endsWith("/")) {
      throw new StorageException(Kind.INVALID, url, "is a folder, expected an object's key");
    }
  }
}
