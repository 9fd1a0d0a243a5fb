package dev.tarn.targetnode.cache;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.UploadRequest;
import dev.tarn.targetnode.backend.Backend;
import dev.tarn.targetnode.backend.Backend.BackendDeletion;
import dev.tarn.targetnode.backend.Backend.BackendObject;
import dev.tarn.targetnode.backend.Backend.BackendWrite;
import dev.tarn.targetnode.backend.BackendException;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.StoredObject;
import java.time.InstantSource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Writes of buckets with a backend: the backend's answer is the answer, its ETag, version and
 * conditions are those of the object. What is cached of the key gives way; a put leaves its bytes
 * in the cache, if it can.
 */
final class CachedWrites {
  private final CacheEntries entries;
  private final InstantSource clock;

  CachedWrites(CacheEntries entries, InstantSource clock) {
    this.entries = entries;
    this.clock = clock;
  }

  /** Stores an object; blocks. */
  Outcome<ObjectMetadata> put(TargetRequest.Put request, IncomingBody body, Backend backend) {
    ObjectName name = request.name();
    Optional<Failure> unsupported = refuseUnknownLength(body);
    if (unsupported.isPresent()) {
      return Outcome.failed(unsupported.orElseThrow());
    }
    try (ExtentCopy copy = ExtentCopy.begin(entries.diskOf(name), body.length())) {
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
          .map(write -> keep(name, written(request, body, write), copy, written.generation()));
    }
  }

  private BackendObject written(TargetRequest.Put request, IncomingBody body, BackendWrite write) {
    return new BackendObject(
        body.length(),
        write.etag(),
        write.version(),
        clock.millis(),
        request.attributes(),
        OptionalLong.empty());
  }

  /** Caches what was written, or sees to it that nothing older is cached. */
  private ObjectMetadata keep(
      ObjectName name, BackendObject object, ExtentCopy copy, OptionalLong generation) {
    ExtentWriter extent = object.sizeBytes() == 0 || generation.isEmpty() ? null : copy.finish();
    if (extent == null) {
      entries.drop(name);
      return entries.unkept(name, object);
    }
    CommitResult<StoredObject> kept =
        entries.installWritten(name, object, extent, generation.orElseThrow());
    if (UnitFetches.settle(extent, kept)
        && kept instanceof CommitResult.Committed<StoredObject> committed) {
      return committed.value().metadata();
    }
    extent.abandon();
    entries.drop(name);
    return entries.unkept(name, object);
  }

  /** Deletes; blocks. */
  Outcome<Deleted> delete(TargetRequest.Delete request, Backend backend) {
    return changing(
            request.name(),
            () -> backend.delete(request.key(), request.version(), request.preconditions()))
        .outcome()
        .map(deletion -> deleted(request, deletion));
  }

  private Deleted deleted(TargetRequest.Delete request, BackendDeletion deletion) {
    entries.drop(request.name());
    return new Deleted(true, deletion.deleteMarker(), deletion.version().orElse(""));
  }

  /** Copies within the backend; blocks. */
  Outcome<ObjectMetadata> copy(TargetRequest.Copy request, Backend backend) {
    TargetRequest.CopySource source = request.source();
    Optional<Failure> refusal = refuseCopy(request, backend);
    if (refusal.isPresent()) {
      return Outcome.failed(refusal.orElseThrow());
    }
    return changing(
            request.name(),
            () -> backend.copy(source, request.key(), request.attributes(), request.tags()))
        .outcome()
        .map(write -> replaced(request.name(), write, backend));
  }

  private Optional<Failure> refuseCopy(TargetRequest.Copy request, Backend backend) {
    TargetRequest.CopySource source = request.source();
    if (!request.preconditions().isEmpty()) {
      return Optional.of(
          new Failure.InvalidRequest(
              "The bucket has a backend, which takes no condition on what a copy replaces."));
    }
    if (source.preconditions().isEmpty()) {
      return Optional.empty();
    }
    BackendObject object = backend.head(source.key(), source.version());
    ObjectName name = new ObjectName(source.scope().bucket(), source.key());
    return source.preconditions().refuseCopyFrom(entries.unkept(name, object));
  }

  /** Replaces tags; blocks. */
  Outcome<ObjectMetadata> setTags(TargetRequest.SetTags request, Backend backend) {
    return changing(
            request.name(),
            () -> {
              backend.setTags(request.key(), request.version(), request.tags());
              return backend.head(request.key(), request.version());
            })
        .outcome()
        .map(object -> changed(request.name(), object));
  }

  /** Stores a part; blocks. */
  Outcome<ObjectPart> putPart(UploadRequest.PutPart request, IncomingBody body, Backend backend) {
    Optional<Failure> unsupported = refuseUnknownLength(body);
    if (unsupported.isPresent()) {
      return Outcome.failed(unsupported.orElseThrow());
    }
    return Outcome.success(
        sending(
            body,
            request.checksums(),
            chunk -> {},
            stream ->
                backend.putPart(
                    request.key(), request.uploadId(), request.number(), stream, body.length())));
  }

  /** Makes the object of its parts; blocks. */
  Outcome<ObjectMetadata> complete(UploadRequest.Complete request, Backend backend) {
    return changing(request.name(), () -> backend.complete(request))
        .outcome()
        .map(write -> replaced(request.name(), write, backend));
  }

  /**
   * The metadata of an object that was replaced at the backend; what is cached of it is dropped.
   */
  private ObjectMetadata replaced(ObjectName name, BackendWrite write, Backend backend) {
    return changed(name, described(name, write, backend));
  }

  private ObjectMetadata changed(ObjectName name, BackendObject object) {
    entries.drop(name);
    return entries.unkept(name, object);
  }

  /** What the backend says of a write that it has done; that it does not say more is no failure. */
  private BackendObject described(ObjectName name, BackendWrite write, Backend backend) {
    try {
      return backend.head(name.key(), Optional.empty());
    } catch (BackendException e) {
      return new BackendObject(
          0,
          write.etag(),
          write.version(),
          clock.millis(),
          ObjectAttributes.NONE,
          OptionalLong.empty());
    }
  }

  private static Optional<Failure> refuseUnknownLength(IncomingBody body) {
    return body.length() == IncomingBody.UNKNOWN_LENGTH
        ? Optional.of(
            new Failure.InvalidRequest(
                "The bucket writes through to a backend, which must know the length of a body"
                    + " beforehand: send Content-Length or x-amz-decoded-content-length."))
        : Optional.empty();
  }

  /** Sends a body; what is wrong with it counts before what the backend makes of that. */
  private static <T> T sending(
      IncomingBody body,
      Set<ChecksumAlgorithm> checksums,
      BodyInputStream.Copy copy,
      Function<BodyInputStream, T> call) {
    boolean wantsMd5 = body.declaredDigests().md5Hex().isPresent();
    BodyDigests digests = new BodyDigests(wantsMd5, checksums);
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
   * What a change came to.
   *
   * @param generation the key's count after it; empty if another change overlapped, so that nobody
   *     here knows which of them the backend did last
   */
  private record Changed<T>(Outcome<T> outcome, OptionalLong generation) {}

  /** A change of a key: counted before and after, so that no read caches what it saw between. */
  private <T> Changed<T> changing(ObjectName name, Supplier<T> call) {
    long before = entries.generations().advance(name);
    Outcome<T> outcome;
    try {
      outcome = Outcome.success(call.get());
    } catch (BackendException e) {
      if (e.unreachable()) {
        entries.drop(name); // It may have happened all the same.
      }
      throw e;
    } finally {
      entries.generations().advance(name);
    }
    long after = before + 1;
    return new Changed<>(
        outcome,
        entries.generations().of(name) == after ? OptionalLong.of(after) : OptionalLong.empty());
  }
}
