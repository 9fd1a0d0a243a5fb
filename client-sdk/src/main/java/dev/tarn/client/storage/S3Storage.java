package dev.tarn.client.storage;

import dev.tarn.client.internal.http.HttpSender;
import dev.tarn.client.storage.StorageException.Kind;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.retries.StandardRetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.S3Exception;
import software.amazon.awssdk.services.s3.model.S3Object;

/** S3 objects: reads by {@link ObjectReads}, all else through the AWS SDK's client. */
final class S3Storage implements AutoCloseable {
  /** Statuses of uploads that stay: not allowed, already gone, or not implemented. */
  private static final Set<Integer> MAY_NOT_BE_DISCARDED = Set.of(403, 404, 405, 501);

  private final StorageOptions options;
  private final AwsCredentialsProvider credentials;
  private final ObjectReads reads;
  private final S3Client client;

  /**
   * Makes the storage.
   *
   * @param http for writes and listings
   * @param sender for reads
   * @param direct for reads from a cluster's targets
   */
  S3Storage(
      AwsConfiguration configuration,
      SdkHttpClient http,
      HttpSender sender,
      Optional<DirectReads> direct,
      StorageOptions options) {
    this.options = options;
    this.credentials = configuration.credentials();
    S3Requests requests =
        new S3Requests(
            configuration.endpoint(), configuration.region(), credentials, options.anonymous());
    this.reads = new ObjectReads(sender, requests, direct, options);
    S3ClientBuilder builder =
        S3Client.builder()
            .httpClient(http)
            .credentialsProvider(credentials)
            .region(configuration.region())
            // Sending a part in vain costs less than a round trip before each part.
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
    String prefix = folder.folderPath();
    try {
      Iterator<S3Object> objects =
          client
              .listObjectsV2Paginator(request -> request.bucket(folder.authority()).prefix(prefix))
              .contents()
              .iterator();
      // The first page is fetched now, so that a wrong bucket is an error of this call.
      return objects.hasNext()
          ? StreamSupport.stream(new Listing(folder, objects), false)
          : Stream.empty();
    } catch (SdkException e) {
      throw SdkFailures.translate(folder, "cannot list it", e);
    }
  }

  /** The objects below a key prefix, page by page; S3 lists in the byte order of keys. */
  private static final class Listing extends Spliterators.AbstractSpliterator<StoredObject> {
    private final StorageUrl folder;
    private final Iterator<S3Object> objects;

    Listing(StorageUrl folder, Iterator<S3Object> objects) {
      super(Long.MAX_VALUE, Spliterator.ORDERED | Spliterator.NONNULL | Spliterator.DISTINCT);
      this.folder = folder;
      this.objects = objects;
    }

    @Override
    public boolean tryAdvance(Consumer<? super StoredObject> action) {
      try {
        while (objects.hasNext()) {
          S3Object object = objects.next();
          if (!object.key().endsWith("/")) {
            StorageUrl url = new StorageUrl(folder.scheme(), folder.authority(), object.key());
            action.accept(new StoredObject(url, object.size(), object.eTag()));
            return true;
          }
        }
        return false;
      } catch (SdkException e) {
        throw new UncheckedIOException(SdkFailures.translate(folder, "cannot list it", e));
      }
    }
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
      throw SdkFailures.translate(url, "cannot delete it", e);
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
      throw SdkFailures.translate(folder, "cannot abort its unfinished uploads", failure);
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
