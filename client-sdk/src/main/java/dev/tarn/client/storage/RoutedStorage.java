package dev.tarn.client.storage;

import dev.tarn.client.internal.http.ConnectionLimits;
import dev.tarn.client.internal.http.HttpSender;
import dev.tarn.client.internal.http.PlainHttp;
import dev.tarn.client.internal.http.SdkSender;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl.Scheme;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpClient;

/** Sends each call to the storage for its URL's scheme. Remote storages open when first needed. */
final class RoutedStorage implements Storage {
  private final StorageOptions options;
  private final Storage local = new LocalStorage();
  private @Nullable Remote remote;
  private boolean closed;

  RoutedStorage(StorageOptions options) {
    this.options = options;
  }

  /**
   * http, https and s3 over one pool of connections. The settings of S3 are read when an s3 URL is
   * first used, so that web servers need no credentials.
   */
  private static final class Remote {
    private final StorageOptions options;
    private final SdkHttpClient client;
    private final Optional<PlainHttp> plain;
    private final HttpSender sender;
    private final ObjectReads web;
    private @Nullable S3Storage s3;

    Remote(StorageOptions options) {
      ConnectionLimits limits =
          new ConnectionLimits(
              options.connectTimeout(), options.idleTimeout(), options.connectionsMax());
      this.options = options;
      this.client = SdkSender.client(limits);
      this.plain =
          SdkSender.hasProxy(System.getenv())
              ? Optional.empty()
              : Optional.of(new PlainHttp(limits));
      this.sender = new SdkSender(client, plain);
      this.web =
          new ObjectReads(
              sender,
              (method, url, headers) ->
                  HttpSender.request(method, URI.create(url.toString()), headers),
              Optional.empty(),
              options);
    }

    synchronized S3Storage s3(StorageUrl url) throws StorageException {
      if (s3 == null) {
        try {
          AwsConfiguration configuration = AwsConfiguration.of(options);
          s3 =
              new S3Storage(
                  configuration, client, sender, directReads(configuration.endpoint()), options);
        } catch (IllegalArgumentException e) {
          throw new StorageException(Kind.INVALID, url, String.valueOf(e.getMessage()), e);
        }
      }
      return s3;
    }

    /** Reads from targets in each way that needs no proxy and is as safe as the endpoint's. */
    private Optional<DirectReads> directReads(Optional<URI> endpoint) {
      if (!options.directReads() || options.anonymous() || plain.isEmpty() || endpoint.isEmpty()) {
        return Optional.empty();
      }
      boolean encryptedOnly = "https".equals(endpoint.orElseThrow().getScheme());
      boolean plainOnly = SdkSender.hasSecureProxy(System.getenv());
      if (encryptedOnly && plainOnly) {
        return Optional.empty();
      }
      PlainHttp http = plain.orElseThrow();
      return Optional.of(
          new DirectReads(
              encryptedOnly ? Optional.empty() : Optional.of(sender),
              plainOnly ? Optional.empty() : Optional.of(http::trusting),
              System::nanoTime));
    }

    synchronized void close() {
      if (s3 != null) {
        s3.close();
      }
      plain.ifPresent(PlainHttp::close);
      client.close();
    }
  }

  @Override
  public Stream<StoredObject> list(StorageUrl folder) throws IOException {
    if (folder.scheme() == Scheme.FILE) {
      return local.list(folder);
    }
    if (folder.scheme() != Scheme.S3) {
      remote(folder);
      throw new StorageException(
          Kind.INVALID, folder, "a web server has no listing: name the objects, or use a manifest");
    }
    return remote(folder).s3(folder).list(folder);
  }

  @Override
  public StoredObject stat(StorageUrl url) throws IOException {
    return url.scheme() == Scheme.FILE ? local.stat(url) : reads(url).stat(url);
  }

  @Override
  public ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    return url.scheme() == Scheme.FILE
        ? local.open(url, offset, end, etag)
        : reads(url).open(url, offset, end, etag);
  }

  @Override
  public int read(StorageUrl url, long offset, ByteBuffer target) throws IOException {
    return url.scheme() == Scheme.FILE
        ? local.read(url, offset, target)
        : Storage.super.read(url, offset, target);
  }

  @Override
  public Optional<NamedOrigin> namedOrigin(StorageUrl url) throws IOException {
    return url.scheme() == Scheme.S3 ? reads(url).namedOrigin(url) : Optional.empty();
  }

  @Override
  public ObjectWriter create(StorageUrl url) throws IOException {
    return url.scheme() == Scheme.FILE ? local.create(url) : writable(url).create(url);
  }

  @Override
  public void delete(StorageUrl url) throws IOException {
    if (url.scheme() == Scheme.FILE) {
      local.delete(url);
    } else {
      writable(url).delete(url);
    }
  }

  @Override
  public void discardUnfinished(StorageUrl folder, Set<String> names) throws IOException {
    if (folder.scheme() == Scheme.FILE) {
      local.discardUnfinished(folder, names);
    } else if (folder.scheme() == Scheme.S3) {
      remote(folder).s3(folder).discardUnfinished(folder, names);
    } else {
      remote(folder);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (remote != null) {
      remote.close();
    }
  }

  private ObjectReads reads(StorageUrl url) throws StorageException {
    Remote opened = remote(url);
    return url.scheme() == Scheme.S3 ? opened.s3(url).reads() : opened.web;
  }

  private S3Storage writable(StorageUrl url) throws StorageException {
    Remote opened = remote(url);
    if (url.scheme() != Scheme.S3) {
      throw new StorageException(
          Kind.INVALID,
          url,
          "a web server cannot be written to: expected a local path or s3://bucket/key");
    }
    return opened.s3(url);
  }

  private synchronized Remote remote(StorageUrl url) throws StorageException {
    if (url.scheme() == Scheme.MEMORY) {
      throw new StorageException(Kind.INVALID, url, "only a MemoryStorage holds memory:// objects");
    }
    if (closed) {
      throw new StorageException(Kind.INVALID, url, "the storage is closed");
    }
    if (remote == null) {
      remote = new Remote(options);
    }
    return remote;
  }
}
