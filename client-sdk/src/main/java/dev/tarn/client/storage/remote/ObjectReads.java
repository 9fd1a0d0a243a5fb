package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.ObjectStream;
import dev.tarn.client.storage.Storage;
import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageOptions;
import dev.tarn.client.storage.StorageUrl;
import dev.tarn.client.storage.StoredObject;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/** GET and HEAD of objects, with retries: the hot path of every remote read. */
final class ObjectReads {
  private static final int REDIRECTS_MAX = 5;

  private final Exchange exchange;
  private final RequestMaker requests;
  private final Optional<DirectReads> direct;
  private final StorageOptions options;

  /**
   * @param direct the way past the gateways, where the server may be a Tarn cluster
   */
  ObjectReads(
      Exchange exchange,
      RequestMaker requests,
      Optional<DirectReads> direct,
      StorageOptions options) {
    this.exchange = exchange;
    this.requests = requests;
    this.direct = direct;
    this.options = options;
  }

  StoredObject stat(StorageUrl url) throws IOException {
    Attempts attempts = attempts();
    while (true) {
      try {
        Answer answer = send(SdkHttpMethod.HEAD, url, Map.of());
        answer.body().close();
        if (answer.status() != 200) {
          throw answer.failure();
        }
        return describe(answer, answer.contentLength().orElseThrow(() -> lengthless(url)));
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
    Attempts attempts = attempts();
    while (true) {
      try {
        return new RemoteStream(this, get(url, offset, end, etag), attempts);
      } catch (StorageException e) {
        attempts.failed(e);
      }
    }
  }

  /** One attempt to get a range. */
  Body get(StorageUrl url, long offset, long end, @Nullable String etag) throws IOException {
    Map<String, String> headers = new HashMap<>();
    if (offset > 0 || end != Storage.TO_THE_END) {
      // An empty range cannot be said: ask for one byte and leave it.
      String last = end == Storage.TO_THE_END ? "" : String.valueOf(Math.max(offset, end - 1));
      headers.put("Range", "bytes=%d-%s".formatted(offset, last));
    }
    if (etag != null && !etag.startsWith("W/")) {
      headers.put("If-Match", etag);
    }
    Answer answer = get(url, offset, end - offset, headers);
    boolean accepted = false;
    try {
      Body body = body(answer, offset, end);
      if (etag != null && !etag.equals(body.object().etag())) {
        throw new StorageException(
            Kind.CHANGED,
            url,
            "the object was replaced: its ETag is %s, expected %s"
                .formatted(body.object().etag(), etag));
      }
      accepted = true;
      return body;
    } finally {
      if (!accepted) {
        answer.body().abort();
      }
    }
  }

  /** The answer to a stream broke off. */
  void brokeOff(StorageUrl url, String reason) {
    direct.ifPresent(reads -> reads.brokeOff(url, reason));
  }

  private Answer get(StorageUrl url, long offset, long lengthBytes, Map<String, String> headers)
      throws IOException {
    return direct.isPresent()
        ? direct
            .orElseThrow()
            .get(url, offset, lengthBytes, headers, sent -> send(SdkHttpMethod.GET, url, sent))
        : send(SdkHttpMethod.GET, url, headers);
  }

  private static Body body(Answer answer, long offset, long end) throws StorageException {
    StorageUrl url = answer.url();
    Optional<Answer.ContentRange> range = answer.contentRange();
    switch (answer.status()) {
      case 200 -> {
        long size = answer.contentLength().orElseThrow(() -> lengthless(url));
        if (offset > 0) {
          throw new StorageException(
              Kind.INVALID, url, "the server ignores Range: it can only be read from its start");
        }
        return new Body(describe(answer, size), answer.body(), 0, Math.min(end, size), size);
      }
      case 206 -> {
        Answer.ContentRange part =
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
            describe(answer, part.size()),
            answer.body(),
            offset,
            Math.min(end, part.size()),
            part.end());
      }
      case 416 -> {
        if (range.isPresent() && range.orElseThrow().size() == offset) {
          return new Body(describe(answer, offset), answer.body(), offset, offset, offset);
        }
        throw new StorageException(
            Kind.INVALID, url, "no byte at offset %d: the object is shorter".formatted(offset));
      }
      case 412 ->
          throw new StorageException(
              Kind.CHANGED, url, "the object was replaced: its ETag is another one");
      default -> throw answer.failure();
    }
  }

  private Answer send(SdkHttpMethod method, StorageUrl url, Map<String, String> headers)
      throws IOException {
    SdkHttpRequest request = requests.make(method, url, headers);
    for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
      Answer answer = exchange(url, request);
      Optional<URI> next =
          url.scheme() == StorageUrl.Scheme.S3
              ? Optional.empty()
              : answer.redirect(request.getUri());
      if (next.isEmpty()) {
        return answer;
      }
      answer.body().abort();
      request = WebRequests.to(method, next.orElseThrow(), headers);
    }
    throw new StorageException(
        Kind.FAILED, url, "redirected more than %d times".formatted(REDIRECTS_MAX));
  }

  private Answer exchange(StorageUrl url, SdkHttpRequest request) throws IOException {
    try {
      return exchange.send(url, request);
    } catch (IOException e) {
      if (Thread.currentThread().isInterrupted() && e instanceof InterruptedIOException) {
        throw e;
      }
      String server = request.protocol() + "://" + request.host() + ":" + request.port();
      throw new StorageException(
          Kind.UNAVAILABLE, url, "no answer from %s: %s".formatted(server, Failures.reason(e)), e);
    } catch (IllegalStateException e) {
      throw new StorageException(Kind.INVALID, url, "the storage is closed", e);
    }
  }

  private static StoredObject describe(Answer answer, long size) {
    return new StoredObject(answer.url(), size, answer.header("ETag").orElse(null));
  }

  private static StorageException lengthless(StorageUrl url) {
    return new StorageException(
        Kind.FAILED,
        url,
        "the answer has no Content-Length: nothing would tell a whole object from a cut one");
  }

  private Attempts attempts() {
    return new Attempts(options.retries(), options.pacing());
  }
}
