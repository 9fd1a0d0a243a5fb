package dev.tarn.client.internal.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * The answer to one request.
 *
 * @param body not yet read; to be closed, or aborted
 */
public record HttpAnswer(SdkHttpResponse head, AbortableInputStream body) {
  private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (?:(\\d{1,18})-(\\d{1,18})|\\*)/(\\d{1,18})");
  private static final Pattern S3_ERROR =
      Pattern.compile(
          "<Code>([^<]{1,200})</Code>.*?<Message>([^<]{0,500})</Message>", Pattern.DOTALL);
  private static final int ERROR_BYTES_MAX = 64 * 1024;
  private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);

  static HttpAnswer of(HttpExecuteResponse response) {
    return new HttpAnswer(
        response.httpResponse(),
        response.responseBody().orElseGet(AbortableInputStream::createEmpty));
  }

  /** The status code. */
  public int status() {
    return head.statusCode();
  }

  /** The first value of a header. */
  public Optional<String> header(String name) {
    return head.firstMatchingHeader(name);
  }

  /** The length of the body in bytes, if the header is present and a number. */
  public OptionalLong contentLength() {
    Optional<String> length = header("Content-Length");
    if (length.isEmpty() || !LENGTH.matcher(length.orElseThrow()).matches()) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(Long.parseLong(length.orElseThrow()));
  }

  /** The range of the body and the length of the whole object, by the Content-Range header. */
  public Optional<ContentRange> contentRange() {
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
   * The address to which the answer redirects; empty if it does not.
   *
   * @throws IllegalArgumentException if the Location header is not an address
   */
  public Optional<URI> redirect(URI from) {
    return REDIRECTS.contains(status()) ? header("Location").map(from::resolve) : Optional.empty();
  }

  /** Reads code and message of an S3 error, if the body holds one; closes the answer. */
  public Optional<String> errorText() {
    String text = "";
    try (InputStream in = body) {
      text = new String(in.readNBytes(ERROR_BYTES_MAX), StandardCharsets.UTF_8);
    } catch (IOException e) {
      body.abort();
    }
    Matcher matcher = S3_ERROR.matcher(text);
    if (matcher.find()) {
      return Optional.of("%s: %s".formatted(matcher.group(1), matcher.group(2)));
    }
    return Optional.empty();
  }

  /**
   * A part of an object.
   *
   * @param start offset of its first byte
   * @param end offset after its last byte
   * @param size length of the whole object in bytes
   */
  public record ContentRange(long start, long end, long size) {}
}
