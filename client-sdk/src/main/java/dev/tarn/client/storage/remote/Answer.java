package dev.tarn.client.storage.remote;

import dev.tarn.client.storage.StorageException;
import dev.tarn.client.storage.StorageException.Kind;
import dev.tarn.client.storage.StorageUrl;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/** The answer to one request, its body not yet read. */
record Answer(StorageUrl url, SdkHttpResponse head, AbortableInputStream body) {
  private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18})");
  private static final Pattern S3_ERROR =
      Pattern.compile(
          "<Code>([^<]{1,200})</Code>.*?<Message>([^<]{0,500})</Message>", Pattern.DOTALL);
  private static final int ERROR_BYTES_MAX = 64 * 1024;

  static Answer of(StorageUrl url, HttpExecuteResponse response) {
    return new Answer(
        url,
        response.httpResponse(),
        response.responseBody().orElseGet(AbortableInputStream::createEmpty));
  }

  int status() {
    return head.statusCode();
  }

  Optional<String> header(String name) {
    return head.firstMatchingHeader(name);
  }

  OptionalLong contentLength() {
    Optional<String> length = header("Content-Length");
    if (length.isEmpty() || !LENGTH.matcher(length.orElseThrow()).matches()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(length.orElseThrow()));
  }

  /** The length of the whole object and the range's start, as the Content-Range header tells. */
  Optional<ContentRange> contentRange() {
    Optional<String> header = header("Content-Range");
    if (header.isEmpty()) {
      return Optional.empty();
    }
    Matcher matcher = CONTENT_RANGE.matcher(header.orElseThrow());
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long size = Long.parseLong(matcher.group(3));
    if (matcher.group(1) == null) {
      return Optional.of(new ContentRange(size, size, size));
    }
    long end = Long.parseLong(matcher.group(2)) + 1;
    return Optional.of(new ContentRange(Long.parseLong(matcher.group(1)), end, size));
  }

  /**
   * Where a redirecting answer points.
   *
   * @throws StorageException if that is no address; ends the answer
   */
  Optional<URI> redirect(URI from) throws StorageException {
    boolean redirects =
        status() == 301 || status() == 302 || status() == 303 || status() == 307 || status() == 308;
    try {
      return redirects ? header("Location").map(from::resolve) : Optional.empty();
    } catch (IllegalArgumentException e) {
      body.abort();
      throw new StorageException(
          Kind.FAILED, url, "redirected to what is no address: " + e.getMessage(), e);
    }
  }

  /** What an answer that is not the object means; ends the answer. */
  StorageException failure() {
    String said = reason();
    int status = status();
    String what = "%s (HTTP status %d)".formatted(said, status);
    Optional<String> region = header("x-amz-bucket-region");
    if (status == 301 || (status == 400 && region.isPresent())) {
      String where = region.map(" and use "::concat).orElse("");
      return new StorageException(
          Kind.INVALID, url, what + ": the bucket is in another region: set AWS_REGION" + where);
    }
    return new StorageException(kind(status), url, what);
  }

  /** What a caller can do about a status that is not a success. */
  static Kind kind(int status) {
    return switch (status) {
      case 401, 403 -> Kind.DENIED;
      case 404, 410 -> Kind.MISSING;
      case 409, 412 -> Kind.CHANGED;
      case 408, 429, 500, 502, 503, 504 -> Kind.UNAVAILABLE;
      case 507 -> Kind.FULL;
      default -> status >= 400 && status < 500 ? Kind.INVALID : Kind.FAILED;
    };
  }

  private String reason() {
    String text = "";
    try (InputStream in = body) {
      text = new String(in.readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
    } catch (IOException e) {
      body.abort();
    }
    Matcher matcher = S3_ERROR.matcher(text);
    if (matcher.find()) {
      return "%s: %s".formatted(matcher.group(1), matcher.group(2));
    }
    return kind(status()) == Kind.MISSING ? "no such object" : head.statusText().orElse("refused");
  }

  /**
   * A part of an object.
   *
   * @param start the offset of its first byte
   * @param end the offset after its last byte
   * @param size the whole object's length
   */
  record ContentRange(long start, long end, long size) {}
}
