package dev.tarn.gateway.error;

import static java.util.Objects.requireNonNull;

/**
 * Ends a request with an error that the client is told. It is the client's doing more often than
 * ours and costs no stack trace.
 */
public final class S3Exception extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient S3Error error;

  /** Ends a request with this error. */
  public S3Exception(S3Error error) {
    super(
        requireNonNull(error, "error is null").code().code() + ": " + error.message(),
        null,
        false,
        false);
    this.error = error;
  }

  /** Ends a request with the code's own message. */
  public static S3Exception of(S3ErrorCode code) {
    return new S3Exception(S3Error.of(code));
  }

  /** Ends a request with a message of its own. */
  public static S3Exception of(S3ErrorCode code, String message) {
    return new S3Exception(S3Error.of(code, message));
  }

  /** This with one more element in the error document. */
  public S3Exception with(String name, String value) {
    return new S3Exception(error.with(name, value));
  }

  /** What the client is told. */
  public S3Error error() {
    return error;
  }

  /** What kind of error. */
  public S3ErrorCode code() {
    return error.code();
  }
}
