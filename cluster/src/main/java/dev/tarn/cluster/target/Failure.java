package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectMetadata;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/** Why a call did nothing. The category decides about retries and is counted in the metrics. */
public sealed interface Failure {
  /** The category of a failure: who must act, and whether a retry helps. */
  enum Category {
    /** The request is wrong; a retry fails again. */
    CALLER,
    /** The requested resource does not exist. */
    MISSING,
    /** Another call came in between; a retry may help. */
    CONFLICT,
    /** The target cannot serve now; a later retry helps. */
    OVERLOADED,
    /** Stored bytes are damaged. */
    CORRUPT,
    /** The backend of a cached bucket failed. */
    BACKEND,
    /** A defect of Tarn. */
    BUG
  }

  Category category();

  /** One sentence for the person who reads a log or an error document. */
  String message();

  /** The reason that an exception gives, without names of Java classes. */
  static String reasonOf(Throwable exception) {
    boolean wraps =
        exception instanceof CompletionException
            || exception instanceof UncheckedIOException
            || exception instanceof SSLException;
    if (wraps && exception.getCause() != null) {
      return reasonOf(exception.getCause());
    }
    if (exception.getMessage() != null) {
      return exception.getMessage();
    }
    return exception instanceof EOFException
        ? "the data ended early"
        : exception instanceof ClosedChannelException
            ? "the connection was closed"
            : exception instanceof UnresolvedAddressException
                ? "the name of the host cannot be resolved"
                : exception instanceof ConnectException
                    ? "the connection was refused"
                    : exception instanceof TimeoutException
                        ? "no answer in time"
                        : "internal error";
  }

  /**
   * No such object, or its newest version is a delete marker.
   *
   * @param markerVersion the delete marker's version, as S3 shows it; empty if there is none
   */
  record NoSuchKey(Optional<String> markerVersion) implements Failure {
    /** No version of the key exists. */
    public NoSuchKey() {
      this(Optional.empty());
    }

    public NoSuchKey {
      requireNonNull(markerVersion, "markerVersion is null");
    }

    @Override
    public Category category() {
      return Category.MISSING;
    }

    @Override
    public String message() {
      return "The specified key does not exist.";
    }
  }

  /** The object has no such version. */
  record NoSuchVersion() implements Failure {
    @Override
    public Category category() {
      return Category.MISSING;
    }

    @Override
    public String message() {
      return "The specified version does not exist.";
    }
  }

  /**
   * The version is a delete marker, which cannot be read, copied or tagged.
   *
   * @param versionText the version, as S3 shows it
   * @param modifiedMs when it was created, in milliseconds since 1970
   */
  record VersionIsDeleteMarker(String versionText, long modifiedMs) implements Failure {
    public VersionIsDeleteMarker {
      requireNonNull(versionText, "versionText is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "The specified method is not allowed against this resource.";
    }
  }

  /** The upload never existed, or is completed or aborted. */
  record NoSuchUpload() implements Failure {
    @Override
    public Category category() {
      return Category.MISSING;
    }

    @Override
    public String message() {
      return "The specified multipart upload does not exist. The upload ID may be invalid, or the"
          + " upload may have been aborted or completed.";
    }
  }

  /**
   * A precondition does not hold.
   *
   * @param condition the header's name, such as If-Match
   */
  record PreconditionFailed(String condition) implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "At least one of the pre-conditions you specified did not hold: " + condition + ".";
    }
  }

  /**
   * A read's If-None-Match or If-Modified-Since says that the caller has the object already.
   *
   * @param metadata of the unchanged object
   */
  record NotModified(ObjectMetadata metadata) implements Failure {
    public NotModified {
      requireNonNull(metadata, "metadata is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "Not modified.";
    }
  }

  /** The version is protected by object lock. */
  record Locked() implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "Access Denied because object protected by object lock.";
    }
  }

  /** Another write of the same key came before a conditional write. */
  record LostRace() implements Failure {
    @Override
    public Category category() {
      return Category.CONFLICT;
    }

    @Override
    public String message() {
      return "A conflicting conditional operation is currently in progress against this resource.";
    }
  }

  /**
   * A range starts after the end.
   *
   * @param sizeBytes the object's size
   */
  record RangeNotSatisfiable(long sizeBytes) implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "The requested range is not satisfiable: the object has " + sizeBytes + " bytes.";
    }
  }

  /** The object has no part of that number. */
  record NoSuchPart(int number) implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "The requested partnumber " + number + " is not satisfiable.";
    }
  }

  /** A part named by Complete was never uploaded, or its ETag or checksum differs. */
  record InvalidPart(int number) implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "Part " + number + " could not be found, or its ETag or checksum does not match.";
    }
  }

  /** The parts named by Complete are not in ascending order. */
  record InvalidPartOrder(int number) implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "The list of parts was not in ascending order at part " + number + ".";
    }
  }

  /** A part other than the last is too small. */
  record PartTooSmall(int number, long sizeBytes, long sizeBytesMin) implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "Part "
          + number
          + " has "
          + sizeBytes
          + " bytes; every part but the last must have"
          + " at least "
          + sizeBytesMin
          + ".";
    }
  }

  /** The body does not match its declared MD5. */
  record BadDigest() implements Failure {
    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "The Content-MD5 you specified did not match what we received.";
    }
  }

  /** The body does not match its declared checksum. */
  record BadChecksum(ChecksumAlgorithm algorithm) implements Failure {
    public BadChecksum {
      requireNonNull(algorithm, "algorithm is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }

    @Override
    public String message() {
      return "The " + algorithm + " you specified did not match the calculated checksum.";
    }
  }

  /**
   * The body did not arrive complete: its publisher failed, or its length differs from the declared
   * one. The publisher's side has the reason for the client.
   */
  record IncompleteBody(String message) implements Failure {
    public IncompleteBody {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }
  }

  /** The request contradicts itself or the contract; the message says how. */
  record InvalidRequest(String message) implements Failure {
    public InvalidRequest {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }
  }

  /** The capability is missing, forged, expired or for another call. */
  record Forbidden(String message) implements Failure {
    public Forbidden {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }
  }

  /**
   * The caller's cluster map is older than the target's, or names another owner; retry with the
   * newest map.
   */
  record StaleMap(long epoch) implements Failure {
    @Override
    public Category category() {
      return Category.CONFLICT;
    }

    @Override
    public String message() {
      return "The request was made under an older cluster map; the present epoch is " + epoch + ".";
    }
  }

  /** The target does not know these bucket settings yet; retry. */
  record UnknownSettings(long version) implements Failure {
    @Override
    public Category category() {
      return Category.CONFLICT;
    }

    @Override
    public String message() {
      return "The target knows bucket settings up to version " + version + " only.";
    }
  }

  /** A disk or target that holds the keys is out of service. */
  record Unavailable(String message) implements Failure {
    public Unavailable {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.OVERLOADED;
    }
  }

  /** A configured limit is reached; retry later. */
  record Overloaded(String message) implements Failure {
    public Overloaded {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.OVERLOADED;
    }
  }

  /**
   * The call waited beyond its deadline and was not carried out.
   *
   * @param lateMs how long ago the deadline was
   */
  record DeadlinePassed(long lateMs) implements Failure {
    @Override
    public Category category() {
      return Category.OVERLOADED;
    }

    @Override
    public String message() {
      return "Call was not carried out: its deadline passed " + lateMs + " ms ago; retry later.";
    }
  }

  /** The owner's disk has no space. */
  record OutOfSpace(String message) implements Failure {
    public OutOfSpace {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.OVERLOADED;
    }
  }

  /** The stored bytes do not match their checksum, and there is no other copy. */
  record Corrupt(String message) implements Failure {
    public Corrupt {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.CORRUPT;
    }
  }

  /**
   * The backend of a cached bucket refused or could not be reached.
   *
   * @param httpStatus the backend's status, 0 if it gave none
   * @param code the backend's S3 error code, or {@link #UNUSABLE_ANSWER}; empty if it gave none
   */
  record BackendFailed(int httpStatus, String code, String message) implements Failure {
    /** The code of an answer that is not one of S3, or lacks what S3 prescribes. */
    public static final String UNUSABLE_ANSWER = "BackendAnswer";

    public BackendFailed {
      requireNonNull(code, "code is null");
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.BACKEND;
    }
  }

  /** A defect of Tarn; the log has details under the incident's id. */
  record Bug(String incident) implements Failure {
    public Bug {
      requireNonNull(incident, "incident is null");
    }

    @Override
    public Category category() {
      return Category.BUG;
    }

    @Override
    public String message() {
      return "We encountered an internal error. Please try again. (incident " + incident + ")";
    }
  }
}
