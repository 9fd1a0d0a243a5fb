package dev.tarn.gateway.request;

import static java.util.Objects.requireNonNull;

import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;

/**
 * Everything of a request except its body, parsed once.
 *
 * @param method in upper case
 * @param rawPath exactly as sent; begins with a slash
 * @param query parsed, and exactly as sent
 * @param headers in the order sent
 * @param secure whether the request came over TLS
 * @param arrival when the whole head had arrived; signatures are verified with this time
 */
public record RequestHead(
    String method,
    String rawPath,
    QueryParameters query,
    Headers headers,
    boolean secure,
    Instant arrival) {
  public RequestHead {
    requireNonNull(method, "method is null");
    requireNonNull(rawPath, "rawPath is null");
    requireNonNull(query, "query is null");
    requireNonNull(headers, "headers is null");
    requireNonNull(arrival, "arrival is null");
    if (!rawPath.startsWith("/")) {
      throw S3Exception.of(
              S3ErrorCode.INVALID_URI, "Couldn't parse the specified URI: it must begin with /.")
          .with("URI", rawPath);
    }
  }

  /**
   * Parses the head of a received request.
   *
   * @throws S3Exception InvalidURI if its target is not properly encoded, InvalidRequest if a
   *     header has no name
   */
  public static RequestHead of(HttpServerRequest request, Instant arrival) {
    Headers.Builder headers = Headers.builder();
    request.headers().forEach(headers::addWire);
    return parse(request.method().name(), request.uri(), headers.build(), request.isSSL(), arrival);
  }

  /**
   * Parses the target of a request line: {@code /path?query}, or the absolute form that clients
   * send to proxies. The authority of an absolute form replaces the Host header.
   *
   * @throws S3Exception InvalidURI if the target has neither form, or its query is not properly
   *     encoded
   */
  public static RequestHead parse(
      String method, String target, Headers headers, boolean secure, Instant arrival) {
    String relative = target;
    Headers effective = headers;
    int authority = target.startsWith("/") ? -1 : authorityStart(target);
    if (authority > 0) {
      int end = authorityEnd(target, authority);
      effective = headers.with("host", target.substring(authority, end));
      relative = target.startsWith("/", end) ? target.substring(end) : "/" + target.substring(end);
    }
    int question = relative.indexOf('?');
    String path = question < 0 ? relative : relative.substring(0, question);
    String query = question < 0 ? "" : relative.substring(question + 1);
    return new RequestHead(method, path, QueryParameters.parse(query), effective, secure, arrival);
  }

  /** The index of the authority in an absolute URI; -1 if there is none. */
  private static int authorityStart(String target) {
    if (target.regionMatches(true, 0, "http://", 0, 7)) {
      return 7;
    }
    return target.regionMatches(true, 0, "https://", 0, 8) ? 8 : -1;
  }

  private static int authorityEnd(String target, int start) {
    int end = start;
    while (end < target.length() && target.charAt(end) != '/' && target.charAt(end) != '?') {
      end++;
    }
    return end;
  }
}
