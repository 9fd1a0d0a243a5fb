package dev.tarn.gateway.error;

import dev.tarn.cluster.target.Failure;
import dev.tarn.gateway.http.HeaderNames;
import dev.tarn.gateway.http.HttpDates;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The only place that maps failures of a target to S3 errors. */
public final class FailureErrors {
  private static final Logger LOG = LoggerFactory.getLogger(FailureErrors.class);
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  /** Errors of the backend about the settings of the bucket, not about the client's request. */
  private static final Set<S3ErrorCode> WRONG_SETTINGS =
      Set.of(S3ErrorCode.AUTHORIZATION_HEADER_MALFORMED, S3ErrorCode.NO_SUCH_BUCKET);

  private FailureErrors() {}

  /** The error for the client, for this failure. */
  public static S3Error errorOf(Failure failure) {
    S3Error error = S3Error.of(codeOf(failure), failure.message());
    return switch (failure) {
      case Failure.PreconditionFailed(String condition) -> error.with("Condition", condition);
      case Failure.RangeNotSatisfiable(long sizeBytes) ->
          error.with("ActualObjectSize", Long.toString(sizeBytes));
      case Failure.NoSuchPart(int number) ->
          error.with("PartNumberRequested", Integer.toString(number));
      case Failure.InvalidPart(int number) -> error.with("PartNumber", Integer.toString(number));
      case Failure.PartTooSmall(int number, long sizeBytes, long sizeBytesMin) ->
          error
              .with("ProposedSize", Long.toString(sizeBytes))
              .with("MinSizeAllowed", Long.toString(sizeBytesMin))
              .with("PartNumber", Integer.toString(number));
      case Failure.NoSuchKey(Optional<String> markerVersion) ->
          markerVersion.map(version -> ofDeleteMarker(error, version)).orElse(error);
      case Failure.VersionIsDeleteMarker(String version, long modifiedMs) ->
          ofDeleteMarker(error, version)
              .withHeader(
                  HeaderNames.LAST_MODIFIED.toString(), HttpDates.format(modifiedMs).toString())
              .withHeader("Allow", "DELETE");
      case Failure.Forbidden(String reason) -> {
        LOG.error("A target refused a call of this gateway; the client gets a 500: {}", reason);
        yield S3Error.of(S3ErrorCode.INTERNAL_ERROR);
      }
      case Failure.NoSuchVersion _,
          Failure.NoSuchUpload _,
          Failure.NotModified _,
          Failure.LostRace _,
          Failure.Locked _,
          Failure.InvalidPartOrder _,
          Failure.BadDigest _,
          Failure.BadChecksum _,
          Failure.IncompleteBody _,
          Failure.InvalidRequest _,
          Failure.StaleMap _,
          Failure.UnknownSettings _,
          Failure.Unavailable _,
          Failure.Overloaded _,
          Failure.DeadlinePassed _,
          Failure.OutOfSpace _,
          Failure.Corrupt _,
          Failure.BackendFailed _,
          Failure.Bug _ ->
          error;
    };
  }

  private static S3Error ofDeleteMarker(S3Error error, String version) {
    return error.withHeader("x-amz-delete-marker", "true").withHeader("x-amz-version-id", version);
  }

  private static S3ErrorCode codeOf(Failure failure) {
    return switch (failure) {
      case Failure.NoSuchKey _ -> S3ErrorCode.NO_SUCH_KEY;
      case Failure.NoSuchVersion _ -> S3ErrorCode.NO_SUCH_VERSION;
      case Failure.VersionIsDeleteMarker _ -> S3ErrorCode.METHOD_NOT_ALLOWED;
      case Failure.NoSuchUpload _ -> S3ErrorCode.NO_SUCH_UPLOAD;
      case Failure.PreconditionFailed _ -> S3ErrorCode.PRECONDITION_FAILED;
      case Failure.NotModified _ -> S3ErrorCode.NOT_MODIFIED;
      case Failure.Locked _ -> S3ErrorCode.ACCESS_DENIED;
      case Failure.LostRace _ -> S3ErrorCode.CONDITIONAL_REQUEST_CONFLICT;
      case Failure.RangeNotSatisfiable _ -> S3ErrorCode.INVALID_RANGE;
      case Failure.NoSuchPart _ -> S3ErrorCode.INVALID_PART_NUMBER;
      case Failure.InvalidPart _ -> S3ErrorCode.INVALID_PART;
      case Failure.InvalidPartOrder _ -> S3ErrorCode.INVALID_PART_ORDER;
      case Failure.PartTooSmall _ -> S3ErrorCode.ENTITY_TOO_SMALL;
      case Failure.BadDigest _, Failure.BadChecksum _ -> S3ErrorCode.BAD_DIGEST;
      case Failure.IncompleteBody _ -> S3ErrorCode.INCOMPLETE_BODY;
      case Failure.InvalidRequest _ -> S3ErrorCode.INVALID_REQUEST;
      case Failure.StaleMap _, Failure.UnknownSettings _, Failure.Unavailable _ ->
          S3ErrorCode.SERVICE_UNAVAILABLE;
      case Failure.Overloaded _, Failure.DeadlinePassed _ -> S3ErrorCode.SLOW_DOWN;
      case Failure.OutOfSpace _ -> S3ErrorCode.INSUFFICIENT_CAPACITY;
      case Failure.BackendFailed backend -> codeOf(backend);
      // The target refused the gateway's own capability; the client is not the cause.
      case Failure.Forbidden _, Failure.Corrupt _, Failure.Bug _ -> S3ErrorCode.INTERNAL_ERROR;
    };
  }

  /**
   * The code for a failure of the backend. Clients retry a 503, so refusals that a retry does not
   * mend have another status. A missing bucket of the backend is no 404: clients would take every
   * object for missing.
   */
  private static S3ErrorCode codeOf(Failure.BackendFailed backend) {
    if (backend.code().equals(Failure.BackendFailed.UNUSABLE_ANSWER)) {
      return S3ErrorCode.BACKEND_ANSWER;
    }
    if (backend.httpStatus() == S3ErrorCode.NOT_IMPLEMENTED.httpStatus()) {
      return S3ErrorCode.NOT_IMPLEMENTED;
    }
    if (backend.httpStatus() < 400 || backend.httpStatus() >= 500) {
      return S3ErrorCode.SERVICE_UNAVAILABLE;
    }
    Optional<S3ErrorCode> named = S3ErrorCode.find(backend.code());
    if (backend.httpStatus() == FORBIDDEN || backend.httpStatus() == UNAUTHORIZED) {
      return named
          .filter(S3ErrorCode.INVALID_OBJECT_STATE::equals)
          .orElse(S3ErrorCode.ACCESS_DENIED);
    }
    return named
        .map(code -> WRONG_SETTINGS.contains(code) ? S3ErrorCode.INVALID_BUCKET_STATE : code)
        .orElseGet(() -> unnamed(backend.httpStatus()));
  }

  /** The code for a refusal whose code is not known here, or missing. */
  private static S3ErrorCode unnamed(int httpStatus) {
    return switch (httpStatus) {
      case 405 -> S3ErrorCode.METHOD_NOT_ALLOWED;
      case 408, 425, 429 -> S3ErrorCode.SERVICE_UNAVAILABLE;
      case 409 -> S3ErrorCode.OPERATION_ABORTED;
      default -> S3ErrorCode.INVALID_REQUEST;
    };
  }
}
