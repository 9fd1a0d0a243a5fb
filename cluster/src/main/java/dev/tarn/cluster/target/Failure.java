package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectMetadata;
import java.util.Optional;

/** Why a call did nothing. Its category decides about retries and is counted in the metrics. */
public sealed interface Failure {
  /** Whose turn it is after a failure. */
  enum Category {
    /** The caller asked for what cannot be. */
    CALLER,
    /** What was asked for is not there. */
    MISSING,
    /** Something else got in between; asking again may help. */
    CONFLICT,
    /** Not now; asking again later helps. */
    OVERLOADED,
    /** Bytes on a disk are not what was written. */
    CORRUPT,
    /** The backend of a cached bucket failed. */
    BACKEND,
    /** A defect of ours. */
    BUG
  }

  /** Whose turn it is. */
  Category category();

  /** One sentence for the person who reads a log or an error document. */
  String message();

  /**
   * No such object, or its newest version is a delete marker.
   *
   * @param markerVersion the delete marker's version, as S3 shows it; empty if there is none
   */
  record NoSuchKey(Optional<String> markerVersion) implements Failure {
    /** There is nothing of that key. */
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
   * The version is a delete marker, which has nothing that could be read, copied or tagged.
   *
   * @param versionText the version, as S3 shows it
   * @param modifiedMs when it was made, in milliseconds since 1970
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

  /** The upload was never begun, or is completed or aborted. */
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
   * A read's If-None-Match or If-Modified-Since says that the caller has it already.
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

  /** A conditional write lost against another one of the same key. */
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
   * A range starts past the end.
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

  /** A part named by Complete was never uploaded, or its ETag or checksum is another. */
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

  /** The sender declared an MD5 that the body does not have. */
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

  /** The sender declared a checksum that the body does not have. */
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
   * The body did not arrive whole: its publisher failed, or gave other than the length it declared.
   * Whoever published it knows the reason that the client is told.
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

  /** The capability is missing, forged, expired or for something else. */
  record Forbidden(String message) implements Failure {
    public Forbidden {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.CALLER;
    }
  }

  /** The caller's cluster map is older than the target's, or names another owner: ask again. */
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

  /** The target does not know these bucket settings yet: ask again. */
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

  /** A bound of the configuration is reached: ask again later. */
  record Overloaded(String message) implements Failure {
    public Overloaded {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.OVERLOADED;
    }
  }

  /** No room on the owning disk. */
  record OutOfSpace(String message) implements Failure {
    public OutOfSpace {
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.OVERLOADED;
    }
  }

  /** The stored bytes fail their checksum and there is no other copy. */
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
   * @param code the backend's S3 error code, empty if it gave none
   */
  record BackendFailed(int httpStatus, String code, String message) implements Failure {
    public BackendFailed {
      requireNonNull(code, "code is null");
      requireNonNull(message, "message is null");
    }

    @Override
    public Category category() {
      return Category.BACKEND;
    }
  }

  /** A defect of ours; the log has more under the incident's name. */
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
