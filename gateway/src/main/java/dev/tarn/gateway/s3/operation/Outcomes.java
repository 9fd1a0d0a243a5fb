package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.gateway.error.FailureErrors;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import java.util.concurrent.CompletionStage;

/** Maps outcomes of target calls to values and exceptions. */
public final class Outcomes {
  private Outcomes() {}

  /**
   * The value of a call's outcome.
   *
   * @throws S3Exception for a failure
   */
  public static <T> T value(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failed<T>(Failure failure) -> throw error(failure);
    };
  }

  /**
   * Waits for a call and returns its value. Call this on virtual threads only.
   *
   * @throws S3Exception for a failure
   */
  public static <T> T await(CompletionStage<Outcome<T>> stage) {
    return value(stage.toCompletableFuture().join());
  }

  /**
   * The value of a write's outcome. If the body failed, its reason replaces the target's, because
   * the body's reason is more exact.
   *
   * @throws S3Exception for a failure
   */
  public static <T> T value(Outcome<T> outcome, DecodedBody body) {
    if (outcome instanceof Outcome.Failed<T>) {
      S3Exception cause = body.failure();
      if (cause != null) {
        throw cause;
      }
    }
    return value(outcome);
  }

  /** The error for a request whose call failed. */
  public static S3Exception error(S3Request request, Failure failure) {
    S3Exception error = error(failure);
    return failure instanceof Failure.NoSuchKey ? error.with("Key", request.key().text()) : error;
  }

  /**
   * Conceals from a caller without permission to list that a key is missing: the caller gets
   * AccessDenied. Other failures stay as they are.
   */
  public static Throwable concealed(S3Request request, Throwable failure) {
    Throwable cause = ErrorResponses.cause(failure);
    boolean isMissing =
        cause instanceof S3Exception refusal
            && (refusal.code() == S3ErrorCode.NO_SUCH_KEY
                || refusal.code() == S3ErrorCode.NO_SUCH_VERSION);
    return isMissing && !request.mayList() ? S3Exception.of(S3ErrorCode.ACCESS_DENIED) : cause;
  }

  /** Whether the failure means that the object or version is not found. */
  public static boolean isMissing(Failure failure) {
    return failure instanceof Failure.NoSuchKey || failure instanceof Failure.NoSuchVersion;
  }

  private static S3Exception error(Failure failure) {
    return new S3Exception(FailureErrors.errorOf(failure));
  }
}
