package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectLock;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectVersion;
import dev.tarn.cluster.target.Deleted;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.IncomingBody;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest.Delete;
import dev.tarn.cluster.target.TargetRequest.Put;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.write.BodyReceiver;
import dev.tarn.targetnode.store.write.BodyWriting;
import dev.tarn.targetnode.store.write.ReceivedBody;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** PUT and DELETE. */
final class LocalWrites {
  private final BodyWriting writing;
  private final Commits commits;

  LocalWrites(BodyWriting writing, Commits commits) {
    this.writing = writing;
    this.commits = commits;
  }

  CompletionStage<Outcome<ObjectMetadata>> put(
      DiskStore store, Put request, IncomingBody body, Bucket bucket) {
    Durability durability = Commits.durability(bucket);
    var placing =
        new BodyReceiver.Placing(
            store.settings().inlineBytesMax(), durability == Durability.DEVICE);
    return writing
        .receive(store, body, placing, request.checksums())
        .thenCompose(received ->
            switch (received) {
              case Outcome.Failed<ReceivedBody> failed ->
                  completedFuture(Outcome.failed(failed.failure()));
              case Outcome.Success<ReceivedBody> success ->
                  commit(store, request, success.value(), bucket);
            });
  }

  private CompletionStage<Outcome<ObjectMetadata>> commit(
      DiskStore store, Put request, ReceivedBody body, Bucket bucket) {
    Commits.Content content =
        new Commits.Content(
            request.name(),
            body.length(),
            body.digests().md5Hex().orElseThrow(),
            body.digests().checksums(),
            request.attributes(),
            List.of(),
            body.pieces(),
            "",
            body.inline());
    return commits.commit(
        request,
        store,
        Commits.durability(bucket),
        body.extent(),
        body.inline().remaining(),
        view -> commits.decide(view, request.preconditions(), content));
  }

  CompletionStage<Outcome<Deleted>> delete(DiskStore store, Delete request, Bucket bucket) {
    return commits.commit(
        request,
        store,
        Commits.durability(bucket),
        Optional.empty(),
        view ->
            commits.byConfiguration(
                request.scope().bucket(),
                configuration -> decideDelete(view, request, configuration.versioning())));
  }

  private static Decision<Deleted> decideDelete(
      CommitView view, Delete request, Versioning versioning) throws IOException {
    boolean marks = request.version().isEmpty() && versioning != Versioning.OFF;
    if (!marks && request.preconditions().isEmpty()) {
      return remove(view, request, versioning);
    }
    ObjectRecord present = view.object(request.name());
    ObjectRecord deleted =
        request.version().isEmpty()
            ? present
            : find(view, request.name(), request.version().orElseThrow());
    Optional<Failure> refused =
        request.preconditions().refuseDelete(metadata(present), metadata(deleted));
    if (refused.isPresent()) {
      return new Decision.Refuse<>(refused.orElseThrow());
    }
    return marks
        ? mark(view, request, versioning, present != null)
        : remove(view, request, versioning);
  }

  /** Removes the named version. Without one, removes the null version, which is the only one. */
  private static Decision<Deleted> remove(CommitView view, Delete request, Versioning versioning)
      throws IOException {
    String asked = request.version().orElse(ObjectVersion.NULL_TEXT);
    boolean keepsVersions = versioning != Versioning.OFF;
    ObjectRecord found = find(view, request.name(), asked);
    if (found == null) {
      return new Decision.Nothing<>(new Deleted(false, false, keepsVersions ? asked : ""));
    }
    ObjectMetadata metadata = found.metadata();
    ObjectLock lock = metadata.attributes().lock();
    if (lock.forbidsRemoval(view.nowMs(), request.bypassesGovernance())) {
      return new Decision.Refuse<>(new Failure.Locked());
    }
    return new Decision.Write<>(
        metadata.nullVersion()
            ? new LogEntry.ObjectDeleted(request.name(), view.nextVersion())
            : new LogEntry.VersionDeleted(request.name(), metadata.version()),
        new Deleted(true, metadata.deleteMarker(), keepsVersions ? metadata.versionText() : ""));
  }

  private static @Nullable ObjectMetadata metadata(@Nullable ObjectRecord object) {
    return object == null ? null : object.metadata();
  }

  private static @Nullable ObjectRecord find(CommitView view, ObjectName name, String version)
      throws IOException {
    if (version.equals(ObjectVersion.NULL_TEXT)) {
      return view.nullVersion(name);
    }
    Optional<ObjectVersion> named = ObjectVersion.ofText(version);
    return named.isEmpty() ? null : view.version(name, named.orElseThrow());
  }

  /**
   * Adds a delete marker as the newest version. While versioning is suspended, the marker replaces
   * the null version.
   */
  private static Decision<Deleted> mark(
      CommitView view, Delete request, Versioning versioning, boolean existed) {
    ObjectVersion version = view.nextVersion();
    ObjectMetadata marker =
        new ObjectMetadata(
            request.name(),
            version,
            versioning == Versioning.SUSPENDED,
            true,
            0,
            "",
            List.of(),
            ObjectAttributes.NONE,
            version.clockMs(),
            List.of(),
            null);
    return new Decision.Write<>(
        new LogEntry.ObjectStored(ObjectRecord.first(marker, "", List.of())),
        new Deleted(existed, true, marker.versionText()));
  }
}
