package dev.tarn.gateway.http;

import io.vertx.core.http.HttpHeaders;

/** Names and values of headers, encoded once. */
public final class HeaderNames {
  public static final CharSequence ACCEPT_RANGES = HttpHeaders.createOptimized("Accept-Ranges");
  public static final CharSequence APPLICATION_JSON =
      HttpHeaders.createOptimized("application/json");
  public static final CharSequence APPLICATION_XML = HttpHeaders.createOptimized("application/xml");
  public static final CharSequence BYTES = HttpHeaders.createOptimized("bytes");
  public static final CharSequence CLOSE = HttpHeaders.createOptimized("close");
  public static final CharSequence CONNECTION = HttpHeaders.createOptimized("Connection");
  public static final CharSequence CONTENT_LENGTH = HttpHeaders.createOptimized("Content-Length");
  public static final CharSequence CONTENT_RANGE = HttpHeaders.createOptimized("Content-Range");
  public static final CharSequence CONTENT_TYPE = HttpHeaders.createOptimized("Content-Type");
  public static final CharSequence DATE = HttpHeaders.createOptimized("Date");
  public static final CharSequence ETAG = HttpHeaders.createOptimized("ETag");
  public static final CharSequence LAST_MODIFIED = HttpHeaders.createOptimized("Last-Modified");
  public static final CharSequence OCTET_STREAM =
      HttpHeaders.createOptimized("binary/octet-stream");
  public static final CharSequence REQUEST_ID = HttpHeaders.createOptimized("x-amz-request-id");
  public static final CharSequence SERVER = HttpHeaders.createOptimized("Server");
  public static final CharSequence TARN = HttpHeaders.createOptimized("Tarn");

  public static final CharSequence TRANSFER_ENCODING =
      HttpHeaders.createOptimized("Transfer-Encoding");

  private HeaderNames() {}
}
