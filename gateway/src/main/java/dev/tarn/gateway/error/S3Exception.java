package dev.tarn.gateway.error;

import static java.util.Objects.requireNonNull;

/**
 * Ends a request with an error for the client. It has no stack trace, because most of these errors
 * are caused by clients.
 */
public final class S3Exception extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient S3Error error;

  /** Creates an exception with this error. */
  public S3Exception(S3Error error) {
    super(
        requireNonNull(error, "error is null").code().code() + ": " + error.message(),
        null,
        false,
        false);
    this.error = error;
  }

  /** Creates an exception with the code's own message. */
  public static S3Exception of(S3ErrorCode code) {
    return new S3Exception(S3Error.of(code));
  }

  /** Creates an exception with its own message. */
  public static S3Exception of(S3ErrorCode code, String message) {
    return new S3Exception(S3Error.of(code, message));
  }

  /** A copy with one more element in the error document. */
  public S3Exception with(String name, String value) {
    return new S3Exception(error.with(name, value));
  }

  /** The error for the client. */
  public S3Error error() {
    return error;
  }

  /** The code of the error. */
  public S3ErrorCode code() {
    return error.code();
  }
}
