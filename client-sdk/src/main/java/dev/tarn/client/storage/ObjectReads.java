package dev.tarn.client.storage;

import dev.tarn.client.internal.http.HttpAnswer;
import dev.tarn.client.internal.http.HttpSender;
import dev.tarn.client.storage.Storage.NamedOrigin;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.shard.manifest.DatasetManifest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** Reads objects by GET and HEAD, with retries. */
final class ObjectReads {
  private static final int REDIRECTS_MAX = 5;
  private static final int NAMED_ORIGINS_MAX = 1000;

  private final HttpSender sender;
  private final Requests requests;
  private final Optional<DirectReads> direct;
  private final StorageOptions options;
  private final Map<StorageUrl, NamedOrigin> namedOrigins = new ConcurrentHashMap<>();

  /**
   * Makes the reads.
   *
   * @param direct reads from a Tarn cluster's targets, if the server may be one of its gateways
   */
  ObjectReads(
      HttpSender sender, Requests requests, Optional<DirectReads> direct, StorageOptions options) {
    this.sender = sender;
    this.requests = requests;
    this.direct = direct;
    this.options = options;
  }

  /** Makes requests that the server accepts: addressed, and signed if need be. */
  interface Requests {
    /**
     * Makes a request without a body.
     *
     * @throws StorageException if the URL or the settings are not valid
     */
    SdkHttpRequest make(SdkHttpMethod method, StorageUrl url, Map<String, String> headers)
        throws StorageException;
  }

  /**
   * The body of an answer, not yet read.
   *
   * @param object the whole object
   * @param bytes of the connection
   * @param start offset in the object of the first byte
   * @param end offset after the last wanted byte
   * @param sent offset after the last byte that the server sends
   */
  record Body(StoredObject object, AbortableInputStream bytes, long start, long end, long sent) {
    /** Up to so many unread bytes, reading them costs less than a new connection. */
    private static final int DRAIN_BYTES_MAX = 16 * 1024;

    /** Frees the connection if few bytes are unread, and cuts it otherwise. */
    void close(long position) {
      if (sent - position <= DRAIN_BYTES_MAX) {
        try {
          bytes.close();
          return;
        } catch (IOException e) {
          // The wanted bytes have arrived.
        }
      }
      bytes.abort();
    }
  }

  StoredObject stat(StorageUrl url) throws IOException {
    Attempts attempts = new Attempts(options);
    while (true) {
      try {
        HttpAnswer answer = send(SdkHttpMethod.HEAD, url, Map.of());
        answer.body().close();
        if (answer.status() != 200) {
          throw SdkFailures.of(url, answer);
        }
        return describe(url, answer, answer.contentLength().orElseThrow(() -> lengthless(url)));
      } catch (StorageException e) {
        attempts.failed(e);
      }
    }
  }

  ObjectStream open(StorageUrl url, long offset, long end, @Nullable String etag)
      throws IOException {
    if (offset < 0 || end < offset) {
      throw new StorageException(
          Kind.INVALID, url, "range %d to %d: expected 0 <= offset <= end".formatted(offset, end));
    }
    Attempts attempts = new Attempts(options);
    while (true) {
      try {
        return new RemoteStream(this, get(url, offset, end, etag), attempts);
      } catch (StorageException e) {
        attempts.failed(e);
      }
    }
  }

  /** Makes one attempt to get a range. */
  Body get(StorageUrl url, long offset, long end, @Nullable String etag) throws IOException {
    Map<String, String> headers = new HashMap<>();
    if (offset > 0 || end != Storage.TO_THE_END) {
      // HTTP has no empty range: ask for one byte and leave it unread.
      String last = end == Storage.TO_THE_END ? "" : String.valueOf(Math.max(offset, end - 1));
      headers.put("Range", "bytes=%d-%s".formatted(offset, last));
    }
    if (etag != null && !etag.startsWith("W/")) {
      headers.put("If-Match", etag);
    }
    HttpAnswer answer = get(url, offset, end - offset, headers);
    boolean accepted = false;
    try {
      Body body = body(url, answer, offset, end);
      if (etag != null && !etag.equals(body.object().etag())) {
        throw new StorageException(
            Kind.CHANGED,
            url,
            "the object was replaced: its ETag is %s, expected %s"
                .formatted(body.object().etag(), etag));
      }
      noteOrigin(url, answer);
      accepted = true;
      return body;
    } finally {
      if (!accepted) {
        answer.body().abort();
      }
    }
  }

  private void noteOrigin(StorageUrl url, HttpAnswer answer) {
    Optional<NamedOrigin> named =
        answer.header("x-tarn-origin").flatMap(text -> named(text, answer));
    if (named.isEmpty()) {
      namedOrigins.remove(url);
    } else if (namedOrigins.size() < NAMED_ORIGINS_MAX || namedOrigins.containsKey(url)) {
      namedOrigins.put(url, named.orElseThrow());
    }
  }

  private static Optional<NamedOrigin> named(String origin, HttpAnswer answer) {
    try {
      return Optional.of(
          new NamedOrigin(
              StorageUrl.parse(StorageUrl.decode(origin)),
              answer.header("x-tarn-origin-endpoint").map(URI::create),
              answer.header("x-tarn-origin-region").orElse("us-east-1")));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // A server that names no valid origin has named none.
    }
  }

  /** The origin that the answer to the last GET of an object named. */
  Optional<NamedOrigin> namedOrigin(StorageUrl url) {
    return Optional.ofNullable(namedOrigins.get(url));
  }

  /** Reports that the answer to a stream broke off. */
  void brokeOff(StorageUrl url, String reason) {
    direct.ifPresent(reads -> reads.brokeOff(url, reason));
  }

  private HttpAnswer get(StorageUrl url, long offset, long lengthBytes, Map<String, String> headers)
      throws IOException {
    // Only a gateway names the origin of a manifest.
    boolean directly = direct.isPresent() && !url.name().equals(DatasetManifest.FILE_NAME);
    return directly
        ? direct
            .orElseThrow()
            .get(url, offset, lengthBytes, headers, sent -> send(SdkHttpMethod.GET, url, sent))
        : send(SdkHttpMethod.GET, url, headers);
  }

  private static Body body(StorageUrl url, HttpAnswer answer, long offset, long end)
      throws StorageException {
    Optional<HttpAnswer.ContentRange> range = answer.contentRange();
    switch (answer.status()) {
      case 200 -> {
        long size = answer.contentLength().orElseThrow(() -> lengthless(url));
        if (offset > 0) {
          throw new StorageException(
              Kind.INVALID, url, "the server ignores Range: it can only be read from its start");
        }
        return new Body(describe(url, answer, size), answer.body(), 0, Math.min(end, size), size);
      }
      case 206 -> {
        HttpAnswer.ContentRange part =
            range.orElseThrow(() ->
                new StorageException(
                    Kind.FAILED, url, "status 206 without a Content-Range that tells the size"));
        if (part.start() != offset || part.end() > part.size()) {
          throw new StorageException(
              Kind.FAILED,
              url,
              "asked for bytes from %d, the answer is %s".formatted(offset, part));
        }
        return new Body(
            describe(url, answer, part.size()),
            answer.body(),
            offset,
            Math.min(end, part.size()),
            part.end());
      }
      case 416 -> {
        if (range.isPresent() && range.orElseThrow().size() == offset) {
          return new Body(describe(url, answer, offset), answer.body(), offset, offset, offset);
        }
        throw new StorageException(
            Kind.INVALID, url, "no byte at offset %d: the object is shorter".formatted(offset));
      }
      case 412 ->
          throw new StorageException(
              Kind.CHANGED, url, "the object was replaced: its ETag has changed");
      default -> throw SdkFailures.of(url, answer);
    }
  }

  private HttpAnswer send(SdkHttpMethod method, StorageUrl url, Map<String, String> headers)
      throws IOException {
    SdkHttpRequest request = requests.make(method, url, headers);
    for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      HttpAnswer answer = exchange(url, request);
      Optional<URI> next =
          url.scheme() == StorageUrl.Scheme.S3
              ? Optional.empty()
              : redirect(url, answer, request.getUri());
      if (next.isEmpty()) {
        return answer;
      }
      answer.body().abort();
      request = HttpSender.request(method, next.orElseThrow(), headers);
    }
    throw new StorageException(
        Kind.FAILED, url, "redirected more than %d times".formatted(REDIRECTS_MAX));
  }

  private static Optional<URI> redirect(StorageUrl url, HttpAnswer answer, URI from)
      throws StorageException {
    try {
      return answer.redirect(from);
    } catch (IllegalArgumentException e) {
      answer.body().abort();
      throw new StorageException(
          Kind.FAILED, url, "redirected to an invalid address: " + e.getMessage(), e);
    }
  }

  private HttpAnswer exchange(StorageUrl url, SdkHttpRequest request) throws IOException {
    try {
      return sender.send(request);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted() && e instanceof InterruptedIOException) {
        throw e;
      }
      String server = request.protocol() + "://" + request.host() + ":" + request.port();
      throw new StorageException(
          Kind.UNAVAILABLE,
          url,
          "no answer from %s: %s".formatted(server, HttpSender.reason(e)),
          e);
    } catch (IllegalStateException e) {
      throw new StorageException(Kind.INVALID, url, "the storage is closed", e);
    }
  }

  private static StoredObject describe(StorageUrl url, HttpAnswer answer, long size) {
    return new StoredObject(url, size, answer.header("ETag").orElse(null));
  }

  private static StorageException lengthless(StorageUrl url) {
    return new StorageException(
        Kind.FAILED,
        url,
        "the answer has no Content-Length, so a truncated object could not be detected");
  }
}
