package dev.tarn.targetnode.cache;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Aborted;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendDeletion;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.BackendWrite;
import dev.tarn.targetnode.backend.Backend.ByteSpan;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.cache.CacheEntries.Asked;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.record.ObjectRecord;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes of buckets with a backend. The backend evaluates the conditions, and its answer, with ETag
 * and version, is the result. The cached entry of the key is replaced: a put caches its bytes if
 * possible, every other write drops the entry.
 */
final class CachedWrites {
  private final CacheEntries entries;
  private final KnownUploads uploads;
  private final InstantSource clock;
  private final Durability durability;

  /**
   * Writes of buckets whose replaced entries are removed with this durability. A lost removal
   * brings the former entry back. That is harmless only if each read asks the backend for the ETag.
   */
  CachedWrites(
      CacheEntries entries, KnownUploads uploads, InstantSource clock, Durability durability) {
    this.entries = entries;
    this.uploads = uploads;
    this.clock = clock;
    this.durability = durability;
  }

  /**
   * Stores an object; blocks.
   *
   * @param isKept whether the cache may keep it
   */
  Outcome<ObjectMetadata> put(
      TargetRequest.Put request, IncomingBody body, Backend backend, boolean isKept) {
    ObjectName name = request.name();
    Optional<Failure> unsupported = refuseUnknownLength(body);
    if (unsupported.isPresent()) {
      return Outcome.failed(unsupported.orElseThrow());
    }
    try (WrittenCopy copy = new WrittenCopy(entries.diskOf(name), name, body.length(), isKept)) {
      Changed<BackendWrite> written =
          changing(
              name,
              () ->
                  sending(
                      body,
                      request.checksums(),
                      copy,
                      stream ->
                          backend.put(
                              request.key(),
                              request.attributes(),
                              stream,
                              body.length(),
                              request.preconditions())));
      return written
          .outcome()
          .map(write -> keep(name, written(request, body, write), copy, written.asked()));
    }
  }

  /** The written object. The backend alone knows its time; the next read asks for it. */
  private BackendObject written(TargetRequest.Put request, IncomingBody body, BackendWrite write) {
    return new BackendObject(
        body.length(),
        write.etag(),
        write.validator(),
        write.version(),
        clock.millis(),
        request.attributes().with(Map.of()));
  }

  /** Caches the written object, or drops the older entry. */
  private ObjectMetadata keep(
      ObjectName name, BackendObject object, WrittenCopy copy, Optional<Asked> asked) {
    if (object.sizeBytes() == 0 || asked.isEmpty() || !copy.isWhole()) {
      return changed(name, object);
    }
    copy.beginInLog();
    return switch (entries.installWritten(
        name, object, copy.inline(), asked.orElseThrow(), durability)) {
      case CommitResult.Committed<ObjectRecord> committed -> {
        copy.publish(committed.value());
        yield committed.value().metadata();
      }
      case CommitResult.Refused<ObjectRecord> refused -> changed(name, object);
      case CommitResult.InDoubt<ObjectRecord> inDoubt ->
          throw new CallRefusedException(inDoubt.failure());
    };
  }

  /** Deletes; blocks. */
  Outcome<Deleted> delete(TargetRequest.Delete request, Backend backend) {
    if (!isOnlyIfMatch(request.preconditions())) {
      return Outcome.failed(
          new Failure.InvalidRequest(
              "Conditional deletion failed: a bucket with a backend supports only If-Match; send"
                  + " no other condition."));
    }
    return changing(
            request.name(),
            () ->
                backend.delete(
                    request.key(),
                    request.version(),
                    request.preconditions(),
                    request.bypassesGovernance()))
        .outcome()
        .map(deletion -> deleted(request, deletion));
  }

  private static boolean isOnlyIfMatch(Preconditions preconditions) {
    return preconditions.ifNoneMatch().isEmpty()
        && preconditions.ifModifiedSinceMs().isEmpty()
        && preconditions.ifUnmodifiedSinceMs().isEmpty()
        && !preconditions.isOfSizeOrTime();
  }

  private Deleted deleted(TargetRequest.Delete request, BackendDeletion deletion) {
    entries.drop(request.name(), durability);
    return new Deleted(true, deletion.deleteMarker(), deletion.version().orElse(""));
  }

  /** Copies within the backend; blocks. */
  Outcome<ObjectMetadata> copy(TargetRequest.Copy request, Backend backend) {
    if (!request.preconditions().isEmpty()) {
      return Outcome.failed(
          new Failure.InvalidRequest(
              "Conditional copy failed: a bucket with a backend supports no condition on the object"
                  + " that a copy replaces; send no condition."));
    }
    TargetRequest.CopySource source = request.source();
    Optional<String> judged = Optional.empty();
    if (!source.preconditions().isEmpty()) {
      BackendObject object = backend.head(source.key(), source.version());
      Optional<Failure> refusal =
          source.preconditions().refuseCopyFrom(entries.unkept(source.name(), object));
      if (refusal.isPresent()) {
        return Outcome.failed(refusal.orElseThrow());
      }
      judged = Optional.of(object.validator());
    }
    Optional<String> validator = judged;
    return changing(request.name(), () -> backend.copy(request, validator))
        .outcome()
        .map(write -> replaced(request.name(), write, backend));
  }

  /** Replaces tags; entries have none, so the entry stays. Blocks. */
  Outcome<ObjectMetadata> setTags(TargetRequest.SetTags request, Backend backend) {
    backend.setTags(request.key(), request.version(), request.tags());
    BackendWrite done = new BackendWrite("", "", request.version());
    return Outcome.success(
        entries.unkept(
            request.name(), described(request.name(), request.version(), done, backend)));
  }

  /** Begins an upload and returns its id; blocks. */
  Outcome<String> createUpload(TargetRequest.CreateUpload request, Backend backend) {
    String id = backend.createUpload(request.key(), request.attributes());
    uploads.began(request, id);
    return Outcome.success(id);
  }

  /** Stores a part; blocks. */
  Outcome<ObjectPart> putPart(UploadRequest.PutPart request, IncomingBody body, Backend backend) {
    Optional<Failure> unsupported = refuseUnknownLength(body);
    if (unsupported.isPresent()) {
      return Outcome.failed(unsupported.orElseThrow());
    }
    Set<ChecksumAlgorithm> checksums = new HashSet<>(request.checksums());
    uploads.algorithmOf(request).ifPresent(checksums::add);
    return Outcome.success(
        sending(body, checksums, chunk -> {}, stream -> putPart(request, stream, body, backend)));
  }

  private ObjectPart putPart(
      UploadRequest.PutPart request, BodyInputStream stream, IncomingBody body, Backend backend) {
    ObjectPart stored =
        backend.putPart(request.key(), request.uploadId(), request.number(), stream, body.length());
    uploads.stored(request, stored.with(stream.checksums()));
    return stored;
  }

  /** Stores a part copied from an object of the same backend; blocks. */
  Outcome<ObjectPart> copyPart(UploadRequest.CopyPart request, Backend backend) {
    TargetRequest.CopySource source = request.source();
    BackendObject object = backend.head(source.key(), source.version());
    ObjectMetadata metadata =
        entries.unkept(new ObjectName(source.scope().bucket(), source.key()), object);
    Optional<Failure> refusal = source.preconditions().refuseCopyFrom(metadata);
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    return request
        .select(metadata)
        .map(head -> {
          ObjectPart stored =
              backend.copyPart(
                  request.key(),
                  request.uploadId(),
                  request.number(),
                  source,
                  new ByteSpan(head.offset(), head.length()));
          uploads.stored(request, stored);
          return stored;
        });
  }

  /** Completes an upload; blocks. */
  Outcome<ObjectMetadata> complete(UploadRequest.Complete request, Backend backend) {
    Optional<Failure> refusal = uploads.refuse(request, backend);
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    return changing(request.name(), () -> backend.complete(request))
        .outcome()
        .map(write -> {
          uploads.ended(request);
          return replaced(request.name(), write, backend);
        });
  }

  /** Aborts an upload; blocks. */
  Outcome<Aborted> abort(UploadRequest.Abort request, Backend backend) {
    backend.abort(request.key(), request.uploadId());
    uploads.ended(request);
    return Outcome.success(new Aborted());
  }

  /** The metadata of an object that was replaced at the backend; drops its entry. */
  private ObjectMetadata replaced(ObjectName name, BackendWrite write, Backend backend) {
    return changed(name, described(name, Optional.empty(), write, backend));
  }

  private ObjectMetadata changed(ObjectName name, BackendObject object) {
    entries.drop(name, durability);
    return entries.unkept(name, object);
  }

  /**
   * The backend's metadata after a completed write; a minimum if the backend does not answer,
   * because the write did not fail.
   */
  private BackendObject described(
      ObjectName name, Optional<String> version, BackendWrite write, Backend backend) {
    try {
      return backend.head(name.key(), version);
    } catch (BackendException e) {
      return new BackendObject(
          0,
          write.etag(),
          write.validator(),
          write.version(),
          clock.millis(),
          ObjectAttributes.NONE);
    }
  }

  private static Optional<Failure> refuseUnknownLength(IncomingBody body) {
    return body.length() == IncomingBody.UNKNOWN_LENGTH
        ? Optional.of(
            new Failure.InvalidRequest(
                "Write failed: a bucket with a backend must know the length of a body in advance;"
                    + " send Content-Length or x-amz-decoded-content-length."))
        : Optional.empty();
  }

  /**
   * Sends a body. A failure of the body takes precedence over the backend's failure that follows
   * from it.
   */
  private static <T> T sending(
      IncomingBody body,
      Set<ChecksumAlgorithm> checksums,
      BodyInputStream.Copy copy,
      Function<BodyInputStream, T> call) {
    // The sender may declare an MD5 behind the body, so it is always computed.
    BodyDigests digests = new BodyDigests(true, checksums);
    try (BodyInputStream stream = new BodyInputStream(body, digests, copy)) {
      try {
        return call.apply(stream);
      } catch (BackendException e) {
        Optional<Failure> refusal = stream.refusal();
        throw refusal.isPresent() ? new CallRefusedException(refusal.orElseThrow(), e) : e;
      }
    }
  }

  /**
   * The result of a change.
   *
   * @param asked what was noted of the key, with its write count after the change; empty if another
   *     change overlapped, because then the order of the changes at the backend is unknown
   */
  private record Changed<T>(Outcome<T> outcome, Optional<Asked> asked) {}

  /**
   * Runs a change of a key. The key's write count is advanced before and after, so that no read
   * caches what it saw meanwhile.
   */
  private <T> Changed<T> changing(ObjectName name, Supplier<T> call) {
    long before = entries.generations().advance(name);
    Asked asked = entries.asking(name);
    Outcome<T> outcome;
    try {
      outcome = Outcome.success(call.get());
    } catch (BackendException e) {
      if (e.unreachable()) {
        entries.drop(name, durability); // The change may have happened.
      }
      throw e;
    } finally {
      entries.generations().advance(name);
    }
    Asked after = new Asked(before + 1, asked.ownedSince());
    boolean isAlone = entries.generations().of(name) == after.generation();
    return new Changed<>(outcome, isAlone ? Optional.of(after) : Optional.empty());
  }
}
