package dev.tarn.cluster.target;

import static java.util.Objects.requireNonNull;

import dev.tarn.cluster.object.AccessList;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ChecksumType;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectKey;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A call to a target: one immutable record for each operation. A {@link TargetHandler} has a method
 * for each record, and the wire format has a codec.
 *
 * <p>An {@code Optional<String> version} names a version as S3 shows it: a version's text, or
 * {@code null}; empty means the newest. The text of a null version names that version too, and
 * never a later null version.
 *
 * @param <R> the value of a success
 */
public sealed interface TargetRequest<R> permits TargetRequest.OfKey, ListRequest {
  /** The greatest number of entries of a page. */
  int PAGE_MAX = 1000;

  /** The scope that the caller acted on: the bucket, the version of its settings, the slot. */
  CallScope scope();

  /**
   * The same request for one call. A copy's source gets the deadline too.
   *
   * @param since as {@link CallScope#since}
   * @param deadline of the call
   */
  TargetRequest<R> at(long since, Deadline deadline);

  /** Whether the operation changes nothing: a caller that lost the answer may then retry it. */
  default boolean readsOnly() {
    return false;
  }

  /** Whether the request has a body. */
  default boolean hasBody() {
    return false;
  }

  /**
   * Calls the handler's method for this kind of request.
   *
   * @param call what the handler needs to know of the call besides the request
   */
  <C> CompletionStage<Outcome<R>> on(TargetHandler<C> handler, C call);

  /** A request about one key; the key's owner carries it out. */
  sealed interface OfKey<R> extends TargetRequest<R>
      permits Reading, Put, Delete, SetAcl, SetTags, SetLock, CreateUpload, Copying, UploadRequest {
    ObjectKey key();

    /** The version, if the operation is about one; empty for the newest. */
    default Optional<String> version() {
      return Optional.empty();
    }

    /** Bucket and key. */
    default ObjectName name() {
      return new ObjectName(scope().bucket(), key());
    }
  }

  /** A read of one object. If the bucket has a backend, any target can answer. */
  sealed interface Reading<R> extends OfKey<R> permits Get, Head {
    @Override
    default boolean readsOnly() {
      return true;
    }

    /** The same read for a call that these targets may answer. */
    Reading<R> answeredBy(Answerer answerer);
  }

  /** A request that reads from another object, which may have another owner. */
  sealed interface Copying<R> extends OfKey<R> permits Copy, UploadRequest.CopyPart {
    /** The object to read. */
    CopySource source();

    @Override
    Copying<R> at(long since, Deadline deadline);

    /** The same request with this source. */
    Copying<R> from(CopySource source);

    /** Calls the copier's method for this kind of copy. */
    CompletionStage<Outcome<R>> by(Copier copier);

    /** Carries out copies. */
    interface Copier {
      CompletionStage<Outcome<ObjectMetadata>> copy(Copy request);

      CompletionStage<Outcome<ObjectPart>> copyPart(UploadRequest.CopyPart request);
    }
  }

  /**
   * Reads an object or a range of it. The caller closes the body of a success.
   *
   * @param verified whether to verify the stored bytes even if the bucket's settings do not say so
   */
  record Get(
      CallScope scope,
      ObjectKey key,
      Optional<String> version,
      Selection selection,
      Preconditions preconditions,
      boolean verified)
      implements Reading<ObjectRead> {
    /** A read that is verified if the bucket's settings say so. */
    public Get(
        CallScope scope,
        ObjectKey key,
        Optional<String> version,
        Selection selection,
        Preconditions preconditions) {
      this(scope, key, version, selection, preconditions, false);
    }

    public Get {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(selection, "selection is null");
      requireNonNull(preconditions, "preconditions is null");
    }

    @Override
    public Get at(long since, Deadline deadline) {
      return in(scope.at(since, deadline));
    }

    @Override
    public Get answeredBy(Answerer answerer) {
      return in(scope.answeredBy(answerer));
    }

    private Get in(CallScope other) {
      return new Get(other, key, version, selection, preconditions, verified);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectRead>> on(TargetHandler<C> handler, C call) {
      return handler.get(this, call);
    }
  }

  /**
   * Reads an object's metadata.
   *
   * @param tagged whether the answer must have the object's tags; a bucket with a backend asks the
   *     backend for them
   */
  record Head(
      CallScope scope,
      ObjectKey key,
      Optional<String> version,
      Selection selection,
      Preconditions preconditions,
      boolean tagged)
      implements Reading<ObjectHead> {
    /** A request for metadata that may lack the tags. */
    public Head(
        CallScope scope,
        ObjectKey key,
        Optional<String> version,
        Selection selection,
        Preconditions preconditions) {
      this(scope, key, version, selection, preconditions, false);
    }

    public Head {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(selection, "selection is null");
      requireNonNull(preconditions, "preconditions is null");
    }

    /** A request for the metadata of the whole object, without conditions. */
    public static Head ofWhole(CallScope scope, ObjectKey key, Optional<String> version) {
      return new Head(scope, key, version, Selection.WHOLE, Preconditions.NONE);
    }

    /** A request for the metadata of the whole object with its tags, without conditions. */
    public static Head ofTags(CallScope scope, ObjectKey key, Optional<String> version) {
      return new Head(scope, key, version, Selection.WHOLE, Preconditions.NONE, true);
    }

    @Override
    public Head at(long since, Deadline deadline) {
      return in(scope.at(since, deadline));
    }

    @Override
    public Head answeredBy(Answerer answerer) {
      return in(scope.answeredBy(answerer));
    }

    private Head in(CallScope other) {
      return new Head(other, key, version, selection, preconditions, tagged);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectHead>> on(TargetHandler<C> handler, C call) {
      return handler.head(this, call);
    }
  }

  /**
   * Stores an object, completely or not at all.
   *
   * @param checksums to compute over the body and store, whether or not the sender declares them
   */
  record Put(
      CallScope scope,
      ObjectKey key,
      ObjectAttributes attributes,
      Set<ChecksumAlgorithm> checksums,
      Preconditions preconditions)
      implements OfKey<ObjectMetadata> {
    public Put {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(attributes, "attributes is null");
      requireNonNull(preconditions, "preconditions is null");
      checksums = Set.copyOf(checksums);
    }

    @Override
    public boolean hasBody() {
      return true;
    }

    @Override
    public Put at(long since, Deadline deadline) {
      return new Put(scope.at(since, deadline), key, attributes, checksums, preconditions);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectMetadata>> on(TargetHandler<C> handler, C call) {
      return handler.put(this, call);
    }
  }

  /**
   * Deletes an object. Succeeds if it does not exist. With a version, exactly that one is removed
   * and the newest remaining one becomes current. Without a version, a bucket that keeps versions
   * gets a delete marker as the newest version; while versioning is suspended, the marker replaces
   * the null version.
   *
   * @param preconditions evaluated on the newest version, even if another one is deleted
   * @param bypassesGovernance whether the caller may remove a version that is retained in the
   *     governance mode
   */
  record Delete(
      CallScope scope,
      ObjectKey key,
      Optional<String> version,
      Preconditions preconditions,
      boolean bypassesGovernance)
      implements OfKey<Deleted> {
    /** A deletion that removes no retained version. */
    public Delete(
        CallScope scope, ObjectKey key, Optional<String> version, Preconditions preconditions) {
      this(scope, key, version, preconditions, false);
    }

    public Delete {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(preconditions, "preconditions is null");
    }

    @Override
    public Delete at(long since, Deadline deadline) {
      return new Delete(scope.at(since, deadline), key, version, preconditions, bypassesGovernance);
    }

    @Override
    public <C> CompletionStage<Outcome<Deleted>> on(TargetHandler<C> handler, C call) {
      return handler.delete(this, call);
    }
  }

  /**
   * The source of a copy.
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

    /** The failure of a copy whose source could not be read for this reason. */
    public static Failure refusal(Failure failure) {
      return failure instanceof Failure.VersionIsDeleteMarker
          ? new Failure.InvalidRequest(
              "The source of a copy request may not specifically refer to a delete marker by"
                  + " version id.")
          : failure;
    }

    /** Bucket and key. */
    public ObjectName name() {
      return new ObjectName(scope.bucket(), key);
    }

    /** The same source by another map. */
    public CopySource since(long since) {
      return new CopySource(scope.at(since, scope.deadline()), key, version, preconditions);
    }

    CopySource within(Deadline deadline) {
      return new CopySource(scope.at(scope.since(), deadline), key, version, preconditions);
    }
  }

  /**
   * Copies an object whose source has the same owner. The copy keeps the source's ETag, checksums
   * and parts, and may share its bytes. With {@link #checksums()} the copy is computed as if it had
   * been put: one piece, its ETag the MD5, and only these checksums, over all bytes.
   *
   * @param attributes replace the source's headers and user metadata; empty to keep those
   * @param tags replace the source's tags; empty to keep those
   * @param ownHeaders of the copy, whatever those of the source or of the attributes are
   * @param checksums to compute and store; empty to keep the source's
   * @param preconditions evaluated on the destination
   */
  record Copy(
      CallScope scope,
      ObjectKey key,
      CopySource source,
      Optional<ObjectAttributes> attributes,
      Optional<Map<String, String>> tags,
      Map<String, String> ownHeaders,
      Set<ChecksumAlgorithm> checksums,
      Preconditions preconditions)
      implements Copying<ObjectMetadata> {
    public Copy {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(source, "source is null");
      requireNonNull(attributes, "attributes is null");
      ownHeaders = Map.copyOf(ownHeaders);
      requireNonNull(preconditions, "preconditions is null");
      checksums = Set.copyOf(checksums);
      tags = tags.map(Map::copyOf);
    }

    /** The attributes of a copy whose source has these attributes. */
    public ObjectAttributes attributesFrom(ObjectAttributes source) {
      return attributes.orElse(source).with(tags.orElse(source.tags())).withOwnHeaders(ownHeaders);
    }

    @Override
    public Copy at(long since, Deadline deadline) {
      return in(scope.at(since, deadline), source.within(deadline));
    }

    @Override
    public Copy from(CopySource other) {
      return in(scope, other);
    }

    private Copy in(CallScope other, CopySource from) {
      return new Copy(other, key, from, attributes, tags, ownHeaders, checksums, preconditions);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectMetadata>> on(TargetHandler<C> handler, C call) {
      return handler.copy(this, call);
    }

    @Override
    public CompletionStage<Outcome<ObjectMetadata>> by(Copier copier) {
      return copier.copy(this);
    }
  }

  /** Replaces an object's ACL and returns its metadata. */
  record SetAcl(CallScope scope, ObjectKey key, Optional<String> version, AccessList acl)
      implements OfKey<ObjectMetadata> {
    public SetAcl {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(acl, "acl is null");
    }

    @Override
    public SetAcl at(long since, Deadline deadline) {
      return new SetAcl(scope.at(since, deadline), key, version, acl);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectMetadata>> on(TargetHandler<C> handler, C call) {
      return handler.setAcl(this, call);
    }
  }

  /** Replaces an object's tags and returns its metadata. */
  record SetTags(CallScope scope, ObjectKey key, Optional<String> version, Map<String, String> tags)
      implements OfKey<ObjectMetadata> {
    public SetTags {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      tags = Map.copyOf(tags);
    }

    @Override
    public SetTags at(long since, Deadline deadline) {
      return new SetTags(scope.at(since, deadline), key, version, tags);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectMetadata>> on(TargetHandler<C> handler, C call) {
      return handler.setTags(this, call);
    }
  }

  /** Changes what protects a version of an object, and returns its metadata. */
  record SetLock(CallScope scope, ObjectKey key, Optional<String> version, ObjectLock.Change change)
      implements OfKey<ObjectMetadata> {
    public SetLock {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(version, "version is null");
      requireNonNull(change, "change is null");
    }

    @Override
    public SetLock at(long since, Deadline deadline) {
      return new SetLock(scope.at(since, deadline), key, version, change);
    }

    @Override
    public <C> CompletionStage<Outcome<ObjectMetadata>> on(TargetHandler<C> handler, C call) {
      return handler.setLock(this, call);
    }
  }

  /**
   * Begins a multipart upload and returns its id, which is URL-safe text.
   *
   * @param checksum the algorithm that the parts and the object will have, and its type
   */
  record CreateUpload(
      CallScope scope,
      ObjectKey key,
      ObjectAttributes attributes,
      Optional<ChecksumAlgorithm> checksum,
      Optional<ChecksumType> checksumType)
      implements OfKey<String> {
    public CreateUpload {
      requireNonNull(scope, "scope is null");
      requireNonNull(key, "key is null");
      requireNonNull(attributes, "attributes is null");
      requireNonNull(checksum, "checksum is null");
      requireNonNull(checksumType, "checksumType is null");
    }

    @Override
    public CreateUpload at(long since, Deadline deadline) {
      return new CreateUpload(scope.at(since, deadline), key, attributes, checksum, checksumType);
    }

    @Override
    public <C> CompletionStage<Outcome<String>> on(TargetHandler<C> handler, C call) {
      return handler.createUpload(this, call);
    }
  }
}
