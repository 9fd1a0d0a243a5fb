package dev.tarn.targetnode.backend;

import dev.tarn.cluster.target.Failure;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The one place that translates the SDK's exceptions into failures of the contract. */
final class BackendFailures {
  private BackendFailures() {}

  /** Runs a call and translates its exceptions. {@code where} names the backend for the message. */
  static <T> T translating(String where, Supplier<T> call) {
    try {
      return call.get();
    } catch (S3Exception e) {
      throw answered(where, e);
    } catch (SdkException e) {
      String message = "The backend " + where + " could not be reached: " + e.getMessage();
      throw new BackendException(new Failure.BackendFailed(0, "", message), true, e);
    }
  }

  private static BackendException answered(String where, S3Exception e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null || details.errorCode() == null ? "" : details.errorCode();
    boolean unreachable = e.statusCode() >= 500 || code.equals("SlowDown");
    return new BackendException(failure(where, e, code), unreachable, e);
  }

  private static Failure failure(String where, S3Exception e, String code) {
    return switch (code) {
      case "NoSuchKey", "NotFound" -> new Failure.NoSuchKey();
      case "NoSuchVersion" -> new Failure.NoSuchVersion();
      case "NoSuchUpload" -> new Failure.NoSuchUpload();
      case "InvalidRange" -> new Failure.RangeNotSatisfiable(0);
      case "ConditionalRequestConflict" -> new Failure.LostRace();
      case "BadDigest" -> new Failure.BadDigest();
      case "PreconditionFailed" -> new Failure.PreconditionFailed("as the backend says");
      default -> byStatus(where, e, code);
    };
  }

  private static Failure byStatus(String where, S3Exception e, String code) {
    boolean bare = code.isEmpty();
    if (bare && e.statusCode() == 404) {
      return new Failure.NoSuchKey();
    }
    if (e.statusCode() == 412) {
      return new Failure.PreconditionFailed("as the backend says");
    }
    if (e.statusCode() == 416) {
      return new Failure.RangeNotSatisfiable(0);
    }
    String answer = e.statusCode() + (bare ? "" : " " + code);
    String message = "The backend " + where + " answered " + answer + advice(e.statusCode(), code);
    return new Failure.BackendFailed(e.statusCode(), code, message);
  }

  private static String advice(int status, String code) {
    if (status == 403) {
      return "; check the key pair of the bucket's backend and what it permits.";
    }
    return code.equals("NoSuchBucket") ? "; create that bucket, or check its name." : ".";
  }
}
