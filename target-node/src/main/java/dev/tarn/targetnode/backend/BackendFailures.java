package dev.tarn.targetnode.backend;

import dev.tarn.cluster.target.Failure;
import java.time.DateTimeException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import javax.xml.stream.XMLStreamException;
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
  private static final int NOT_FOUND = 404;
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final int REQUEST_TIMEOUT = 408;
  private static final int PRECONDITION_FAILED = 412;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int NOT_IMPLEMENTED = 501;

  /** The status of an answer that cannot be used, whatever its own was. */
  private static final int UNUSABLE_STATUS = 502;

  private static final int PROBLEMS_MAX = 100;

  private static final String UNREADABLE = "a document or header that cannot be read";

  /** An outage that begins so soon after the last one is not logged: the backend is unsteady. */
  private static final long STEADY_NANOS_MIN = 60_000_000_000L;

  /** After so many silences in a row, few questions are asked. */
  private static final int SILENCES_MIN = 5;

  private static final long QUESTION_EVERY_NANOS = 1_000_000_000L;
  private static final long SILENCE_EVERY_NANOS = 100_000_000L;

  private final String where;
  private final AtomicInteger silences = new AtomicInteger();
  private final AtomicLong silentNanos = new AtomicLong(System.nanoTime() - SILENCE_EVERY_NANOS);
  private final AtomicLong askedNanos = new AtomicLong(System.nanoTime());
  private final AtomicBoolean isAway = new AtomicBoolean();
  private final Set<String> problems = ConcurrentHashMap.newKeySet();

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
      if (e.statusCode() == NOT_FOUND && codeOf(e).isEmpty() && !isDeleteMarker(e)) {
        // A wrong endpoint answers so, too: no key may be taken for missing.
        throw unusable("404 without a code of S3", "404 without a code of S3", e);
      }
      BackendException failure = refusal(e);
      if (!failure.unreachable()) {
        answered();
      }
      throw logged(failure);
    } catch (UnusableAnswerException e) {
      throw unusable(e.problem(), String.valueOf(e.getMessage()), e);
    } catch (SdkException e) {
      if (isUnparsable(e)) {
        throw unusable(UNREADABLE, UNREADABLE + " (" + e.getMessage() + ")", e);
      }
      String message = "The backend " + where + " could not be reached: " + e.getMessage();
      throw logged(new BackendException(new Failure.BackendFailed(0, "", message), true, e));
    }
  }

  private static boolean isUnparsable(Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof XMLStreamException
          || cause instanceof DateTimeException
          || cause instanceof NumberFormatException) {
        return true;
      }
    }
    return false;
  }

  /** An answer that is not one of S3 counts like none: cached bytes are served meanwhile. */
  private BackendException unusable(String problem, String text, Throwable cause) {
    String message =
        "The backend " + where + " answered " + text + "; check that its endpoint speaks S3.";
    if (problems.size() < PROBLEMS_MAX && problems.add(problem)) {
      LOG.warn("{} This problem is logged once.", message);
    }
    return new BackendException(
        new Failure.BackendFailed(UNUSABLE_STATUS, Failure.BackendFailed.UNUSABLE_ANSWER, message),
        true,
        cause);
  }

  /** The S3 code of a refusal; empty if it has none, as every answer to a HEAD. */
  static String codeOf(S3Exception e) {
    AwsErrorDetails details = e.awsErrorDetails();
    return details == null || details.errorCode() == null ? "" : details.errorCode();
  }

  /** Whether a refusal says that the key's newest version, or the named one, is a delete marker. */
  static boolean isDeleteMarker(S3Exception e) {
    return header(e, "x-amz-delete-marker").filter("true"::equals).isPresent();
  }

  /** Whether a refusal asks for fewer or later requests. */
  static boolean asksToRetry(S3Exception e) {
    return e.statusCode() == TOO_MANY_REQUESTS || e.statusCode() == REQUEST_TIMEOUT;
  }

  /** Whether a refusal says that the object has no such bytes. */
  static boolean isOutOfRange(S3Exception e) {
    return e.statusCode() == RANGE_NOT_SATISFIABLE;
  }

  private static Optional<String> header(S3Exception e, String name) {
    AwsErrorDetails details = e.awsErrorDetails();
    return details == null || details.sdkHttpResponse() == null
        ? Optional.empty()
        : details.sdkHttpResponse().firstMatchingHeader(name);
  }

  /**
   * Whether to ask the backend something that can do without an answer. While the backend does not
   * answer, one such question a second is asked.
   */
  boolean mayAsk() {
    long now = System.nanoTime();
    long last = askedNanos.get();
    return silences.get() < SILENCES_MIN
        || (now - last >= QUESTION_EVERY_NANOS && askedNanos.compareAndSet(last, now));
  }

  /** Calls that fail together are one silence. */
  private void noteSilence() {
    long now = System.nanoTime();
    long last = silentNanos.get();
    if (now - last >= SILENCE_EVERY_NANOS && silentNanos.compareAndSet(last, now)) {
      silences.incrementAndGet();
    }
  }

  private void answered() {
    silences.setPlain(0);
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
    if (failure.unreachable()) {
      noteSilence();
    }
    if (failure.unreachable() && isSteady() && isAway.compareAndSet(false, true)) {
      LOG.warn(
          "{}; only objects that are complete in the cache are served meanwhile, and writes fail",
          failure.failure().message());
    }
    return failure;
  }

  private BackendException refusal(S3Exception e) {
    String code = codeOf(e);
    boolean unreachable =
        (e.statusCode() >= 500 && e.statusCode() != NOT_IMPLEMENTED)
            || asksToRetry(e)
            || code.equals("SlowDown");
    return new BackendException(failure(e, code), unreachable, e);
  }

  private Failure failure(S3Exception e, String code) {
    if (isDeleteMarker(e)) {
      String version = header(e, "x-amz-version-id").orElse("");
      return e.statusCode() == METHOD_NOT_ALLOWED
          ? new Failure.VersionIsDeleteMarker(
              version, new AnswerHeaders(e.awsErrorDetails().sdkHttpResponse()).modifiedMs())
          : new Failure.NoSuchKey(Optional.of(version));
    }
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
    if (e.statusCode() == PRECONDITION_FAILED) {
      return new Failure.PreconditionFailed("as the backend says");
    }
    if (e.statusCode() == RANGE_NOT_SATISFIABLE) {
      return new Failure.RangeNotSatisfiable(0);
    }
    String answer = e.statusCode() + (code.isEmpty() ? "" : " " + code);
    String message = "The backend " + where + " answered " + answer + advice(e.statusCode(), code);
    return new Failure.BackendFailed(e.statusCode(), code, message);
  }

  private static String advice(int status, String code) {
    if (status == 403 && !code.equals("InvalidObjectState")) {
      return "; check the key pair of the bucket's backend and what it permits.";
    }
    return code.equals("NoSuchBucket") ? "; create that bucket, or check its name." : ".";
  }
}
