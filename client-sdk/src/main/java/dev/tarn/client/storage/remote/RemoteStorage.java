package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.ObjectWriter;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StorageUrl.Scheme;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;

/**
 * http, https and s3 over one pool of connections. S3's settings are read when an s3 URL is first
 * used, so that reading from a web server asks for no credentials.
 */
public final class RemoteStorage implements Storage {
  /** Waiting for a free connection is bounded by those in use, whose reads time out before this. */
  private static final Duration CONNECTION_WAIT_MAX = Duration.ofMinutes(10);

  private final StorageOptions options;
  private final SdkHttpClient client;
  private final Optional<PlainHttp> plain;
  private final Exchange exchange;
  private final ObjectReads web;
  private @Nullable S3Storage s3;

  /** Makes the pool; connects when first needed. */
  public RemoteStorage(StorageOptions options) {
    this.options = options;
    this.client = new DeferredHttpClient(() -> pool(options));
    this.plain =
        SdkExchange.hasProxy(System.getenv())
            ? Optional.empty()
            : Optional.of(new PlainHttp(options));
    this.exchange = new SdkExchange(client, plain);
    this.web = new ObjectReads(exchange, new WebRequests(), Optional.empty(), options);
  }

  private static SdkHttpClient pool(StorageOptions options) {
    Apache5HttpClient.Builder http =
        Apache5HttpClient.builder()
            .maxConnections(options.connectionsMax())
            .connectionTimeout(options.connectTimeout())
            .socketTimeout(options.idleTimeout())
            .connectionAcquisitionTimeout(CONNECTION_WAIT_MAX)
            .expectContinueEnabled(false)
            .tcpKeepAlive(true);
    CaBundle.in(System::getenv)
        .ifPresent(bundle -> http.tlsTrustManagersProvider(bundle::trustManagers));
    return http.build();
  }

  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    if (folder.scheme() != Scheme.S3) {
      throw new StorageException(
          Kind.INVALID, folder, "a web server has no listing: name the objects, or use a manifest");
    }
    return s3(folder).list(folder);
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    return reads(url).stat(url);
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    return reads(url).open(url, offset, end, etag);
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    if (url.scheme() != Scheme.S3) {
      throw readOnly(url);
    }
    return s3(url).create(url);
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    if (url.scheme() != Scheme.S3) {
      throw readOnly(url);
    }
    s3(url).delete(url);
  }

  @Override
  public void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {
    if (folder.scheme() == Scheme.S3) {
      s3(folder).discardUnfinished(folder, names);
    }
  }

  @Override
  public synchronized void close() {
    if (s3 != null) {
      s3.close();
    }
    plain.ifPresent(PlainHttp::close);
    client.close();
  }

  private ObjectReads reads(StorageUrl url) throws StorageException {
    return url.scheme() == Scheme.S3 ? s3(url).reads() : web;
  }

  private synchronized S3Storage s3(StorageUrl url) throws StorageException {
    if (s3 == null) {
      try {
        AwsConfiguration configuration = AwsConfiguration.of(options);
        s3 =
            new S3Storage(
                configuration, client, exchange, directReads(configuration.endpoint()), options);
      } catch (IllegalArgumentException e) {
        throw new StorageException(Kind.INVALID, url, String.valueOf(e.getMessage()), e);
      }
    }
    return s3;
  }

  /** Targets speak plain http: nobody who encrypts, or needs a proxy, is sent to them. */
  private Optional<DirectReads> directReads(Optional<URI> endpoint) {
    boolean mayBe =
        options.directReads()
            && !options.anonymous()
            && plain.isPresent()
            && endpoint.map(URI::getScheme).filter("http"::equals).isPresent();
    return mayBe ? Optional.of(new DirectReads(exchange, System::nanoTime)) : Optional.empty();
  }

  private static StorageException readOnly(StorageUrl url) {
    return new StorageException(
        Kind.INVALID,
        url,
        "a web server cannot be written to: expected a local path or s3://bucket/key");
  }
}
