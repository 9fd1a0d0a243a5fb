package dev.tarn.gateway.s3.operation;

import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.gateway.error.FailureErrors;
import dev.tarn.gateway.error.S3Error;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import dev.tarn.gateway.http.Response;
import java.util.concurrent.CompletionStage;

/** What a target's outcome means to an operation. */
public final class Outcomes {
  private Outcomes() {}

  /**
   * What came of a call.
   *
   * @throws S3Exception for a failure
   */
  public static <T> T value(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Success<T>(T value) -> value;
      case Outcome.Failed<T>(Failure failure) -> throw error(failure);
    };
  }

  /** The same, waiting for it: on virtual threads alone. */
  public static <T> T await(CompletionStage<Outcome<T>> stage) {
    return value(stage.toCompletableFuture().join());
  }

  /** The same for a write, whose body knows better than the target why it broke off. */
  public static <T> T value(Outcome<T> outcome, DecodedBody body) {
    if (outcome instanceof Outcome.Failed<T>) {
      S3Exception cause = body.failure();
      if (cause != null) {
        throw cause;
      }
    }
    return value(outcome);
  }

  /** The answer to a request whose target did nothing, which is never a success. */
  public static Response refuse(S3Request request, Outcome<?> outcome) {
    if (outcome instanceof Outcome.Failed<?>(Failure failure)) {
      if (isMissing(failure) && !request.mayList()) {
        return ErrorResponses.of(request.exchange(), S3Error.of(S3ErrorCode.ACCESS_DENIED));
      }
      S3Error error = FailureErrors.errorOf(failure);
      return ErrorResponses.of(
          request.exchange(),
          failure instanceof Failure.NoSuchKey ? error.with("Key", request.key().text()) : error);
    }
    throw new IllegalArgumentException("a success is no refusal");
  }

  /** Whether the failure tells that there is no such object. */
  public static boolean isMissing(Failure failure) {
    return failure instanceof Failure.NoSuchKey || failure instanceof Failure.NoSuchVersion;
  }

  private static S3Exception error(Failure failure) {
    return new S3Exception(FailureErrors.errorOf(failure));
  }
}
