package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.CannedAcl;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is asked of a target: one immutable record per operation of {@link ObjectTarget}.
 *
 * <p>An {@code Optional<String> version} names a version as S3 shows it: a version's text, or
 * {@code null}; empty means the newest. A null version answers to its own text too, by which no
 * later one is meant.
 */
public sealed interface TargetRequest {
  /** The most entries of a page. */
  int PAGE_MAX = 1000;

  /** The least bytes of a part that is not the last of its object. */
  long PART_BYTES_MIN = 5L << 20;

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
      implements OfKey {
    public Get {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(selection, "selection is null");
      requireNonNull(preconditions, "preconditions is null");
    }
  }

  /** Reads metadata. */
  record Head(
      CallScope scope,
      ObjectKey key,
      Optional<String> version,
      Selection selection,
      Preconditions preconditions)
      implements OfKey {
    public Head {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(selection, "selection is null");
      requireNonNull(preconditions, "preconditions is null");
    }

    /** Reads the metadata of the whole object, whatever it is. */
    public static Head ofWhole(CallScope scope, ObjectKey key, Optional<String> version) {
      return new Head(scope, key, version, Selection.WHOLE, Preconditions.NONE);
    }
  }

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
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(attributes, "attributes is null");
      requireNonNull(preconditions, "preconditions is null");
      checksums = Set.copyOf(checksums);
    }
  }

  /**
   * Deletes.
   *
   * @param preconditions evaluated on the newest version, whichever is deleted
   */
  record Delete(
      CallScope scope, ObjectKey key, Optional<String> version, Preconditions preconditions)
      implements OfKey {
    public Delete {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(preconditions, "preconditions is null");
    }
  }

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

    /** What the failure to read a source is to whoever wants the copy. */
    public static Failure refusal(Failure failure) {
      return failure instanceof Failure.VersionIsDeleteMarker
          ? new Failure.InvalidRequest(
              "The source of a copy request may not specifically refer to a delete marker by"
                  + " version id.")
          : failure;
    }
  }

  /**
   * Copies an object.
   *
   * @param attributes replace the source's headers and user metadata; empty to keep those
   * @param tags replace the source's tags; empty to keep those
   * @param acl of the copy, whatever the source's or the attributes' is
   * @param checksums what to compute and keep; empty to keep the source's
   * @param preconditions evaluated on the destination
   */
  record Copy(
      CallScope scope,
      ObjectKey key,
      CopySource source,
      Optional<ObjectAttributes> attributes,
      Optional<Map<String, String>> tags,
      CannedAcl acl,
      Set<ChecksumAlgorithm> checksums,
      Preconditions preconditions)
      implements OfKey {
    public Copy {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(source, "source is null");
      requireNonNull(attributes, "attributes is null");
      requireNonNull(acl, "acl is null");
      requireNonNull(preconditions, "preconditions is null");
      checksums = Set.copyOf(checksums);
      tags = tags.map(Map::copyOf);
    }

    /** What is said of the copy of an object of which this is said. */
    public ObjectAttributes attributesFrom(ObjectAttributes source) {
      return attributes.orElse(source).with(tags.orElse(source.tags())).with(acl);
    }
  }

  /** Replaces the ACL. */
  record SetAcl(CallScope scope, ObjectKey key, Optional<String> version, CannedAcl acl)
      implements OfKey {
    public SetAcl {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(acl, "acl is null");
    }
  }

  /** Replaces tags. */
  record SetTags(CallScope scope, ObjectKey key, Optional<String> version, Map<String, String> tags)
      implements OfKey {
    public SetTags {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
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
      implements TargetRequest {
    public ListObjects {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(delimiter, "delimiter is null");
      requireNonNull(after, "after is null");
      checkPageSize(entriesMax);
    }
  }

  /**
   * Lists versions.
   *
   * @param prefix what keys begin with; empty for all
   * @param delimiter groups what has it behind the prefix; empty for none
   * @param afterKey a key, or a common prefix already given, which is then not repeated; empty for
   *     the beginning
   * @param afterVersion the entries follow this version of {@code afterKey}, there or not any more;
   *     a {@code null} that is not there any more comes before all versions. Empty where they
   *     follow all versions of {@code afterKey}.
   * @param entriesMax 0 to 1000; common prefixes count
   */
  record ListVersions(
      CallScope scope,
      String prefix,
      String delimiter,
      String afterKey,
      String afterVersion,
      int entriesMax)
      implements TargetRequest {
    public ListVersions {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(delimiter, "delimiter is null");
      requireNonNull(afterKey, "afterKey is null");
      requireNonNull(afterVersion, "afterVersion is null");
      checkPageSize(entriesMax);
    }
  }

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
      implements OfKey {
    public CreateUpload {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(attributes, "attributes is null");
      requireNonNull(checksum, "checksum is null");
      requireNonNull(checksumType, "checksumType is null");
    }
  }

  /** Stores a part. */
  record PutPart(
      CallScope scope, ObjectKey key, String uploadId, int number, Set<ChecksumAlgorithm> checksums)
      implements OfKey {
    public PutPart {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      checksums = Set.copyOf(checksums);
      checkPartNumber(number);
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
      implements OfKey {
    public CopyPart {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      requireNonNull(source, "source is null");
      requireNonNull(selection, "selection is null");
      checkPartNumber(number);
    }
  }

  /**
   * A part that Complete names.
   *
   * @param etag without quotes; empty where the client gave none
   * @param checksums as the client gave them, none or more
   */
  record CompletedPart(int number, String etag, List<ObjectChecksum> checksums) {
    public CompletedPart {
      requireNonNull(etag, "etag is null");
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
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      requireNonNull(sizeBytes, "sizeBytes is null");
      requireNonNull(checksum, "checksum is null");
      requireNonNull(preconditions, "preconditions is null");
      parts = List.copyOf(parts);
    }
  }

  /** Gives up an upload. */
  record Abort(CallScope scope, ObjectKey key, String uploadId) implements OfKey {
    public Abort {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
    }
  }

  /**
   * Lists an upload's parts.
   *
   * @param afterNumber parts with greater numbers are given
   * @param partsMax 0 to 1000
   */
  record ListParts(CallScope scope, ObjectKey key, String uploadId, int afterNumber, int partsMax)
      implements OfKey {
    public ListParts {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(uploadId, "uploadId is null");
      checkPageSize(partsMax);
    }
  }

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
      implements TargetRequest {
    public ListUploads {
      requireNonNull(scope, "scope is null");
      requireNonNull(prefix, "prefix is null");
      requireNonNull(delimiter, "delimiter is null");
      requireNonNull(afterKey, "afterKey is null");
      requireNonNull(afterUploadId, "afterUploadId is null");
      checkPageSize(uploadsMax);
    }
  }

  private static void checkPartNumber(int number) {
    if (number < 1 || number > ObjectPart.NUMBER_MAX) {
      throw new IllegalArgumentException(
          "part number is " + number + ", must be 1 to " + ObjectPart.NUMBER_MAX);
    }
  }

  private static void checkPageSize(int max) {
    if (max < 0 || max > PAGE_MAX) {
      throw new IllegalArgumentException("page size is " + max + ", must be 0 to " + PAGE_MAX);
    }
  }
}
