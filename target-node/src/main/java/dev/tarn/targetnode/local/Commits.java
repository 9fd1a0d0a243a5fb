package dev.tarn.targetnode.local;

import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.control.BucketConfiguration;
import dev.tarn.cluster.control.BucketSettings;
import dev.tarn.cluster.control.Versioning;
import dev.tarn.cluster.object.BucketId;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectChecksum;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.object.ObjectPart;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.Preconditions;
import dev.tarn.cluster.target.TargetRequest.OfKey;
import dev.tarn.targetnode.membership.CallJudge;
import dev.tarn.targetnode.store.Change;
import dev.tarn.targetnode.store.CommitResult;
import dev.tarn.targetnode.store.CommitView;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.ObjectRecord;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The steps common to all writes: an object's content becomes its newest version. The thread that
 * commits is the disk's {@code Committer}.
 */
final class Commits {
  private final Executor workers;
  private final CallJudge judge;

  Commits(Executor workers, CallJudge judge) {
    this.workers = workers;
    this.judge = judge;
  }

  /** A decision that depends on the bucket's configuration. */
  @FunctionalInterface
  interface ByConfiguration<T> {
    Decision<T> decide(BucketConfiguration configuration) throws IOException;
  }

  /**
   * Decides by the bucket's configuration at the commit. A body can take long, so versioning and
   * object lock may have changed since the call was admitted. The new ones must then protect the
   * existing versions and the new one. Refuses the change while the bucket is being deleted.
   */
  <T> Decision<T> byConfiguration(BucketId bucket, ByConfiguration<T> decision) throws IOException {
    return switch (judge.configuration(bucket)) {
      case Outcome.Failed<BucketConfiguration> gone -> new Decision.Refuse<>(gone.failure());
      case Outcome.Success<BucketConfiguration> now -> decision.decide(now.value());
    };
  }

  /**
   * The content of a future object.
   *
   * @param uploadId of the upload that it comes from; empty for none
   * @param payload the bytes, if a piece is inline
   */
  record Content(
      ObjectName name,
      long sizeBytes,
      String etag,
      List<ObjectChecksum> checksums,
      ObjectAttributes attributes,
      List<ObjectPart> parts,
      List<Piece> pieces,
      String uploadId,
      ByteBuffer payload) {}

  static Durability durability(Bucket bucket) {
    return bucket.settings().durability() == BucketSettings.Durability.FSYNC
        ? Durability.DEVICE
        : Durability.SYSTEM;
  }

  /** Decides whether the content becomes the newest version. */
  Decision<ObjectMetadata> decide(CommitView view, Preconditions preconditions, Content content)
      throws IOException {
    return byConfiguration(
        content.name().bucket(),
        configuration -> decide(view, preconditions, content, configuration));
  }

  private static Decision<ObjectMetadata> decide(
      CommitView view,
      Preconditions preconditions,
      Content content,
      BucketConfiguration configuration)
      throws IOException {
    ObjectRecord present = view.object(content.name());
    Optional<Failure> refused =
        preconditions.refuseWrite(present == null ? null : present.metadata());
    if (refused.isPresent()) {
      return new Decision.Refuse<>(refused.orElseThrow());
    }
    var version = view.nextVersion();
    ObjectAttributes attributes =
        configuration
            .objectLock()
            .map(rule -> rule.applyTo(content.attributes(), view.nowMs()))
            .orElse(content.attributes());
    ObjectMetadata metadata =
        new ObjectMetadata(
            content.name(),
            version,
            configuration.versioning() != Versioning.ENABLED,
            false,
            content.sizeBytes(),
            content.etag(),
            content.checksums(),
            attributes,
            version.clockMs(),
            content.parts(),
            null);
    ObjectRecord object = ObjectRecord.first(metadata, content.uploadId(), content.pieces());
    return new Decision.Write<>(new LogEntry.ObjectStored(object), content.payload(), metadata);
  }

  /** Commits a change whose record names a new extent; afterwards keeps or removes the extent. */
  <T> CompletionStage<Outcome<T>> commit(
      OfKey<T> request,
      DiskStore store,
      Durability durability,
      Optional<ExtentWriter> extent,
      Change<T> change) {
    return commit(request, store, durability, extent, 0, change);
  }

  /** As above, for a change that holds {@code bytes} of memory until it is committed. */
  <T> CompletionStage<Outcome<T>> commit(
      OfKey<T> request,
      DiskStore store,
      Durability durability,
      Optional<ExtentWriter> extent,
      long bytes,
      Change<T> change) {
    return store
        .commit(view -> byMap(request, view, change), durability, bytes)
        .thenApply(result -> {
          extent.ifPresent(writer -> settle(writer, result));
          return result.outcome();
        });
  }

  /** Decides the change, if this target still has the slot of the key. */
  private <T> Decision<T> byMap(OfKey<T> request, CommitView view, Change<T> change)
      throws IOException {
    Optional<Failure> moved = judge.refusalAtCommit(request);
    return moved.isPresent() ? new Decision.Refuse<>(moved.orElseThrow()) : change.decide(view);
  }

  private void abandon(ExtentWriter writer) {
    try {
      workers.execute(writer::abandon);
    } catch (RejectedExecutionException e) {
      writer.leaveInDoubt(); // The node is closing; the sweep of the next start removes it.
    }
  }

  private void settle(ExtentWriter writer, CommitResult<?> result) {
    switch (result) {
      case CommitResult.Committed<?> committed -> writer.committed();
      case CommitResult.Refused<?> refused -> abandon(writer);
      case CommitResult.InDoubt<?> inDoubt -> writer.leaveInDoubt();
    }
  }
}
