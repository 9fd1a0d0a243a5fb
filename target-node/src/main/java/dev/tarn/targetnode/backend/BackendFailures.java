package dev.tarn.targetnode.backend;

import dev.tarn.cluster.target.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/**
 * The one place that translates the SDK's exceptions into failures of the contract. It logs once
 * when the backend stops answering, and once when it answers again.
 */
final class BackendFailures {
  private static final Logger LOG = LoggerFactory.getLogger(BackendFailures.class);
  private static final int NOT_IMPLEMENTED = 501;

  /** An outage that begins so soon after the last one is not logged: the backend is unsteady. */
  private static final long STEADY_NANOS_MIN = 60_000_000_000L;

  private final String where;
  private final AtomicBoolean isAway = new AtomicBoolean();

  /** When the backend answered again; {@code null} before its first outage. */
  private volatile @Nullable Long backSinceNanos;

  /**
   * The failures of one backend.
   *
   * @param where names the backend in messages
   */
  BackendFailures(String where) {
    this.where = where;
  }

  /** Runs a call and translates its exceptions. */
  <T> T translating(Supplier<T> call) {
    try {
      T result = call.get();
      answered();
      return result;
    } catch (S3Exception e) {
      BackendException failure = refusal(e);
      if (!failure.unreachable()) {
        answered();
      }
      throw logged(failure);
    } catch (SdkException e) {
      String message = "The backend " + where + " could not be reached: " + e.getMessage();
      throw logged(new BackendException(new Failure.BackendFailed(0, "", message), true, e));
    }
  }

  private void answered() {
    if (isAway.get() && isAway.compareAndSet(true, false)) {
      backSinceNanos = System.nanoTime();
      LOG.info("The backend {} answers again", where);
    }
  }

  private boolean isSteady() {
    Long since = backSinceNanos;
    return since == null || System.nanoTime() - since >= STEADY_NANOS_MIN;
  }

  private BackendException logged(BackendException failure) {
    if (failure.unreachable() && isSteady() && isAway.compareAndSet(false, true)) {
      LOG.warn(
          "{}; only objects that are complete in the cache are served meanwhile, and writes fail",
          failure.failure().message());
    }
    return failure;
  }

  private BackendException refusal(S3Exception e) {
    AwsErrorDetails details = e.awsErrorDetails();
    String code = details == null || details.errorCode() == null ? "" : details.errorCode();
    boolean unreachable =
        (e.statusCode() >= 500 && e.statusCode() != NOT_IMPLEMENTED) || code.equals("SlowDown");
    return new BackendException(failure(e, code), unreachable, e);
  }

  private Failure failure(S3Exception e, String code) {
    return switch (code) {
      case "NoSuchKey", "NotFound" -> new Failure.NoSuchKey();
      case "NoSuchVersion" -> new Failure.NoSuchVersion();
      case "NoSuchUpload" -> new Failure.NoSuchUpload();
      case "InvalidRange" -> new Failure.RangeNotSatisfiable(0);
      case "ConditionalRequestConflict" -> new Failure.LostRace();
      case "BadDigest" -> new Failure.BadDigest();
      case "PreconditionFailed" -> new Failure.PreconditionFailed("as the backend says");
      default -> byStatus(e, code);
    };
  }

  private Failure byStatus(S3Exception e, String code) {
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
