package dev.tarn.gateway.admin;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.control.CommandOutcome;
import dev.tarn.gateway.error.S3ErrorCode;
import dev.tarn.gateway.error.S3Exception;
import io.vertx.core.json.JsonObject;

/** A refusal of the admin API, which becomes its answer. */
final class AdminProblem extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;

  private AdminProblem(int status, String code, String message) {
    super(requireNonNull(message, "message is null"), null, false, false);
    this.status = status;
    this.code = code;
  }

  static AdminProblem wrongRequest(String message) {
    return new AdminProblem(400, "InvalidRequest", message);
  }

  static AdminProblem notFound(String message) {
    return new AdminProblem(404, "NotFound", message);
  }

  static AdminProblem conflict(String code, String message) {
    return new AdminProblem(409, code, message);
  }

  static AdminProblem preconditionFailed(String code, String message) {
    return new AdminProblem(412, code, message);
  }

  static AdminProblem forbidden(String message) {
    return new AdminProblem(403, S3ErrorCode.ACCESS_DENIED.code(), message);
  }

  static AdminProblem unavailable(String message) {
    return new AdminProblem(503, S3ErrorCode.SERVICE_UNAVAILABLE.code(), message);
  }

  /** The refusal of a request that matches no operation. */
  static AdminProblem ofRouter(int status, String message) {
    return new AdminProblem(status, status == 404 ? "NotFound" : "InvalidRequest", message);
  }

  static AdminProblem bug() {
    return new AdminProblem(500, "InternalError", "the server's log tells more");
  }

  static AdminProblem of(S3Exception e) {
    return new AdminProblem(
        e.error().code().httpStatus(), e.error().code().code(), e.error().message());
  }

  static AdminProblem of(CommandOutcome.Rejected rejected) {
    int status =
        switch (rejected.reason()) {
          case BUCKET_EXISTS,
              USER_EXISTS,
              USER_OWNS_BUCKETS,
              ACCESS_KEY_EXISTS,
              CLUSTER_HAS_AN_ID,
              TARGET_IS_MEMBER,
              DISK_OF_ANOTHER_TARGET,
              DISK_UNREADABLE,
              TOO_MANY_TARGETS,
              NOTHING_CHANGES,
              NEEDS_REBALANCE,
              DELETION_ENDED,
              WRONG_BUCKET_STATE,
              NO_MAP,
              TARGET_IN_SERVICE,
              LAST_TARGET,
              DISK_OF_REMOVED_TARGET,
              BUCKET_CHANGED ->
              409;
          case NO_SUCH_BUCKET, NO_SUCH_USER, NO_SUCH_ACCESS_KEY, NO_SUCH_TARGET -> 404;
          case INVALID_BUCKET_NAME -> 400;
        };
    return new AdminProblem(status, rejected.reason().name(), rejected.message());
  }

  AdminAnswer answer() {
    JsonObject error = new JsonObject().put("code", code).put("message", getMessage());
    return new AdminAnswer(status, new JsonObject().put("error", error));
  }
}
