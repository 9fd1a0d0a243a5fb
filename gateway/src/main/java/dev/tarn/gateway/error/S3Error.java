package dev.tarn.gateway.error;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An error as a client sees it.
 *
 * @param code of the error
 * @param message one sentence: the cause and the correction
 * @param fields further elements of the error document, such as StringToSign, in order
 * @param headers additional headers of the error answer, in order
 */
public record S3Error(
    S3ErrorCode code, String message, Map<String, String> fields, Map<String, String> headers) {
  public S3Error {
    requireNonNull(code, "code is null");
    requireNonNull(message, "message is null");
    fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** An error with the code's own message. */
  public static S3Error of(S3ErrorCode code) {
    return of(code, code.message());
  }

  /** An error with its own message. */
  public static S3Error of(S3ErrorCode code, String message) {
    return new S3Error(code, message, Map.of(), Map.of());
  }

  /** A copy of this error with one more element. */
  public S3Error with(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(fields);
    more.put(name, value);
    return new S3Error(code, message, more, headers);
  }

  /** A copy of this error with one more header. */
  public S3Error withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new S3Error(code, message, fields, more);
  }
}
