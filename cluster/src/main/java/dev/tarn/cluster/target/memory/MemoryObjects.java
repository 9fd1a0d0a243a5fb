package dev.tarn.cluster.target.memory;

import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ChecksumAlgorithm;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.CallScope;
import dev.tarn.cluster.target.DeclaredDigests;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.ObjectHead;
import dev.tarn.cluster.target.ObjectRead;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.Selection;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.CopySource;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Get;
import dev.tarn.cluster.target.TargetRequest.Head;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Reads and commits of objects. Guarded by the target's lock. */
final class MemoryObjects {
  private final MemoryState state;
  private final OpenBodies openBodies;

  MemoryObjects(MemoryState state, OpenBodies openBodies) {
    this.state = state;
    this.openBodies = openBodies;
  }

  Outcome<ObjectRead> get(Get request) {
    return state
        .find(request.name(), request.version())
        .then(stored ->
            select(stored, request.preconditions(), request.selection())
                .map(head ->
                    new ObjectRead(
                        head, openBodies.open(stored.bytes(), head.offset(), head.length()))));
  }

  Outcome<ObjectHead> head(Head request) {
    return state
        .find(request.name(), request.version())
        .then(stored -> select(stored, request.preconditions(), request.selection()));
  }

  private static Outcome<ObjectHead> select(
      StoredObject stored, Preconditions preconditions, Selection selection) {
    return preconditions
        .refuseRead(stored.metadata())
        .map(Outcome::<ObjectHead>failed)
        .orElseGet(() -> ObjectHead.select(stored.metadata(), selection));
  }

  Outcome<ObjectMetadata> put(Put request, byte[] bytes, DeclaredDigests declared) {
    Set<ChecksumAlgorithm> algorithms = algorithms(request.checksums(), declared);
    return verified(bytes, declared)
        .map(Outcome::<ObjectMetadata>failed)
        .orElseGet(() ->
            commit(
                request.scope(),
                request.preconditions(),
                new ObjectContent(
                    request.name(),
                    ByteDigests.etag(bytes),
                    ByteDigests.checksums(algorithms, bytes),
                    request.attributes(),
                    List.of(),
                    new StoredBytes(bytes),
                    "")));
  }

  /** What is asked for and what was declared: both are kept. */
  static Set<ChecksumAlgorithm> algorithms(Set<ChecksumAlgorithm> asked, DeclaredDigests declared) {
    Set<ChecksumAlgorithm> algorithms = EnumSet.noneOf(ChecksumAlgorithm.class);
    algorithms.addAll(asked);
    declared.checksums().forEach(checksum -> algorithms.add(checksum.algorithm()));
    return algorithms;
  }

  /** Which of the digests that the sender declared the bytes do not have. */
  static Optional<Failure> verified(byte[] bytes, DeclaredDigests declared) {
    if (declared.md5Hex().isPresent()
        && !declared.md5Hex().orElseThrow().equals(ByteDigests.etag(bytes))) {
      return Optional.of(new Failure.BadDigest());
    }
    for (ObjectChecksum checksum : declared.checksums()) {
      if (!ByteDigests.ofBytes(checksum.algorithm(), bytes).value().equals(checksum.value())) {
        return Optional.of(new Failure.BadChecksum(checksum.algorithm()));
      }
    }
    return Optional.empty();
  }

  Outcome<Deleted> delete(Delete request) {
    StoredObject present = state.present(request.name());
    Optional<Failure> refused = request.preconditions().refuseWrite(metadata(present));
    if (refused.isPresent()) {
      return Outcome.failed(refused.orElseThrow());
    }
    Versioning versioning = state.versioning(request.scope());
    return Outcome.success(
        request.version().isEmpty() && versioning != Versioning.OFF
            ? mark(request, versioning, present != null)
            : remove(request, versioning));
  }

  private Deleted remove(Delete request, Versioning versioning) {
    String asked = request.version().orElse(ObjectVersion.NULL_TEXT);
    boolean kept = versioning != Versioning.OFF;
    Optional<StoredObject> found =
        state.versions(request.name()).flatMap(versions -> versions.find(asked));
    if (found.isEmpty()) {
      return new Deleted(false, false, kept ? asked : "");
    }
    ObjectMetadata metadata = found.orElseThrow().metadata();
    state.remove(request.name(), found.orElseThrow());
    return new Deleted(true, metadata.deleteMarker(), kept ? metadata.versionText() : "");
  }

  private Deleted mark(Delete request, Versioning versioning, boolean existed) {
    ObjectMetadata marker =
        new ObjectMetadata(
            request.name(),
            state.nextVersion(request.scope()),
            versioning == Versioning.SUSPENDED,
            true,
            0,
            "",
            List.of(),
            ObjectAttributes.NONE,
            state.nowMs(),
            List.of(),
            null);
    state.free(replaced(request.name(), versioning).map(StoredObject::length).orElse(0));
    state.store(new StoredObject(marker, new StoredBytes(new byte[0]), ""));
    return new Deleted(existed, true, marker.versionText());
  }

  /** The version in whose place a write comes. */
  private Optional<StoredObject> replaced(ObjectName name, Versioning versioning) {
    return versioning == Versioning.ENABLED
        ? Optional.empty()
        : state.versions(name).flatMap(MemoryVersions::nullVersion);
  }

  Outcome<ObjectMetadata> copy(Copy request) {
    return source(request.source())
        .then(source -> {
          boolean anew = !request.checksums().isEmpty();
          ObjectMetadata from = source.metadata();
          return commit(
              request.scope(),
              request.preconditions(),
              new ObjectContent(
                  request.name(),
                  anew ? ByteDigests.etag(source.bytes()) : from.etag(),
                  anew
                      ? ByteDigests.checksums(request.checksums(), source.bytes())
                      : from.checksums(),
                  request.attributesFrom(from.attributes()),
                  anew ? List.of() : from.parts(),
                  source.stored(),
                  ""));
        });
  }

  Outcome<StoredObject> source(CopySource source) {
    Outcome<StoredObject> found =
        state.find(new ObjectName(source.scope().bucket(), source.key()), source.version());
    if (found instanceof Outcome.Failed<StoredObject> failed) {
      return Outcome.failed(CopySource.refusal(failed.failure()));
    }
    return found.then(stored ->
        source
            .preconditions()
            .refuseCopyFrom(stored.metadata())
            .map(Outcome::<StoredObject>failed)
            .orElseGet(() -> Outcome.success(stored)));
  }

  Outcome<ObjectMetadata> setTags(SetTags request) {
    return revise(request.name(), request.version(), attributes -> attributes.with(request.tags()));
  }

  Outcome<ObjectMetadata> setAcl(SetAcl request) {
    return revise(request.name(), request.version(), attributes -> attributes.with(request.acl()));
  }

  private Outcome<ObjectMetadata> revise(
      ObjectName name, Optional<String> version, UnaryOperator<ObjectAttributes> change) {
    return state
        .find(name, version)
        .map(stored -> {
          ObjectMetadata old = stored.metadata();
          ObjectMetadata revised =
              new ObjectMetadata(
                  old.name(),
                  old.version(),
                  old.nullVersion(),
                  old.deleteMarker(),
                  old.sizeBytes(),
                  old.etag(),
                  old.checksums(),
                  change.apply(old.attributes()),
                  old.modifiedMs(),
                  old.parts(),
                  old.origin());
          state.store(new StoredObject(revised, stored.stored(), stored.uploadId()));
          return revised;
        });
  }

  /**
   * What is about to become an object.
   *
   * @param uploadId the upload that it comes of, empty for none
   */
  record ObjectContent(
      ObjectName name,
      String etag,
      List<ObjectChecksum> checksums,
      ObjectAttributes attributes,
      List<ObjectPart> parts,
      StoredBytes stored,
      String uploadId) {
    int length() {
      return stored.array().length;
    }
  }

  Outcome<ObjectMetadata> commit(
      CallScope scope, Preconditions preconditions, ObjectContent content) {
    StoredObject present = state.present(content.name());
    Optional<Failure> refused = preconditions.refuseWrite(metadata(present));
    if (refused.isPresent()) {
      return Outcome.failed(refused.orElseThrow());
    }
    Versioning versioning = state.versioning(scope);
    long freedBytes = replaced(content.name(), versioning).map(StoredObject::length).orElse(0);
    if (!state.exchange(freedBytes, content.length())) {
      return Outcome.failed(MemoryState.FULL);
    }
    ObjectMetadata metadata =
        new ObjectMetadata(
            content.name(),
            state.nextVersion(scope),
            versioning != Versioning.ENABLED,
            false,
            content.length(),
            content.etag(),
            content.checksums(),
            content.attributes(),
            state.nowMs(),
            content.parts(),
            null);
    state.store(new StoredObject(metadata, content.stored(), content.uploadId()));
    return Outcome.success(metadata);
  }

  private static @Nullable ObjectMetadata metadata(@Nullable StoredObject stored) {
    return stored == null ? null : stored.metadata();
  }
}
