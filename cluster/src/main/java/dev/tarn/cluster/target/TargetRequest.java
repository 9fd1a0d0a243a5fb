package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is asked of a target: one immutable record per operation of {@link ObjectTarget}.
 *
 * <p>An {@code Optional<String> version} names a version as S3 shows it: a version's text, or
 * {@code null}.
 */
public sealed interface TargetRequest {
  /** Under what knowledge the call is made. */
  CallScope scope();

  /** A request about one key. */
  sealed interface OfKey extends TargetRequest {
    /** The key. */
    ObjectKey key();

    /** Bucket and key. */
    default ObjectName name() {
      return new ObjectName(scope().bucket(), key());
    }
  }

  /** Reads bytes. */
  record Get(
      CallScope scope,
      ObjectKey key,
      Optional<String> version,
      Selection selection,
      Preconditions preconditions)
      implements OfKey {}

  /** Reads metadata. */
  record Head(
      CallScope scope,
      ObjectKey key,
      Optional<String> version,
      Selection selection,
      Preconditions preconditions)
      implements OfKey {}

  /**
   * Stores an object.
   *
   * @param checksums what to compute over the body and keep, whether or not the sender declares it
   */
  record Put(
      CallScope scope,
      ObjectKey key,
      ObjectAttributes attributes,
      Set<ChecksumAlgorithm> checksums,
      Preconditions preconditions)
      implements OfKey {
    public Put {
      checksums = Set.copyOf(checksums);
    }
  }

  /** Deletes. */
  record Delete(
      CallScope scope, ObjectKey key, Optional<String> version, Preconditions preconditions)
      implements OfKey {}

  /**
   * From what a copy is made.
   *
   * @param scope the source bucket's
   * @param preconditions evaluated on the source
   */
  record CopySource(
      CallScope scope, ObjectKey key, Optional<String> version, Preconditions preconditions) {
    public CopySource {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(preconditions, "preconditions is null");
    }
  }

  /**
   * Copies an object.
   *
   * @param attributes replace the source's headers and user metadata; empty to keep those
   * @param tags replace the source's tags; empty to keep those
   * @param checksums what to compute and keep; empty to keep the source's
   * @param preconditions evaluated on the destination
   */
  record Copy(
      CallScope scope,
      ObjectKey key,
      CopySource source,
      Optional<ObjectAttributes> attributes,
      Optional<Map<String, String>> tags,
      Set<ChecksumAlgorithm> checksums,
      Preconditions preconditions)
      implements OfKey {
    public Copy {
      checksums = Set.copyOf(checksums);
    }
  }

  /** Replaces tags. */
  record SetTags(CallScope scope, ObjectKey key, Optional<String> version, Map<String, String> tags)
      implements OfKey {
    public SetTags {
      tags = Map.copyOf(tags);
    }
  }

  /**
   * Lists objects.
   *
   * @param prefix what keys begin with; empty for all
   * @param delimiter groups what has it behind the prefix; empty for none
   * @param after what the entries must come after: a key, or a common prefix already given, which
   *     is then not repeated; empty for the beginning
   * @param entriesMax 0 to 1000; common prefixes count
   */
  record ListObjects(CallScope scope, String prefix, String delimiter, String after, int entriesMax)
      implements TargetRequest {}

  /**
   * Begins an upload.
   *
   * @param checksum the algorithm that the parts and the object will have, and its type
   */
  record CreateUpload(
      CallScope scope,
      ObjectKey key,
      ObjectAttributes attributes,
      Optional<ChecksumAlgorithm> checksum,
      Optional<ChecksumType> checksumType)
      implements OfKey {}

  /** Stores a part. */
  record PutPart(
      CallScope scope, ObjectKey key, String uploadId, int number, Set<ChecksumAlgorithm> checksums)
      implements OfKey {
    public PutPart {
      checksums = Set.copyOf(checksums);
    }
  }

  /** Stores a part out of an object. */
  record CopyPart(
      CallScope scope,
      ObjectKey key,
      String uploadId,
      int number,
      CopySource source,
      Selection selection)
      implements OfKey {}

  /**
   * A part that Complete names.
   *
   * @param etag without quotes; empty where the client gave none
   * @param checksums as the client gave them, none or more
   */
  record CompletedPart(int number, String etag, List<ObjectChecksum> checksums) {
    public CompletedPart {
      checksums = List.copyOf(checksums);
    }
  }

  /**
   * Makes an object of parts.
   *
   * @param parts in the client's order
   * @param sizeBytes the size that the client expects of the object
   * @param checksum the checksum that the client expects of the object
   */
  record Complete(
      CallScope scope,
      ObjectKey key,
      String uploadId,
      List<CompletedPart> parts,
      OptionalLong sizeBytes,
      Optional<ObjectChecksum> checksum,
      Preconditions preconditions)
      implements OfKey {
    public Complete {
      parts = List.copyOf(parts);
    }
  }

  /** Gives up an upload. */
  record Abort(CallScope scope, ObjectKey key, String uploadId) implements OfKey {}

  /**
   * Lists an upload's parts.
   *
   * @param afterNumber parts with greater numbers are given
   * @param partsMax 0 to 1000
   */
  record ListParts(CallScope scope, ObjectKey key, String uploadId, int afterNumber, int partsMax)
      implements OfKey {}

  /**
   * Lists open uploads.
   *
   * @param prefix what keys begin with; empty for all
   * @param delimiter groups what has it behind the prefix; empty for none
   * @param afterKey uploads of greater keys are given, and of this one those whose id is greater
   *     than {@code afterUploadId}, if that is not empty; empty for the beginning
   * @param uploadsMax 0 to 1000; common prefixes count
   */
  record ListUploads(
      CallScope scope,
      String prefix,
      String delimiter,
      String afterKey,
      String afterUploadId,
      int uploadsMax)
      implements TargetRequest {}
}
