package dev.tarn.targetnode.local;

import static java.util.concurrent.CompletableFuture.completedFuture;

import dev.tarn.cluster.checksum.BodyDigests;
import dev.tarn.cluster.control.Bucket;
import dev.tarn.cluster.object.ObjectAttributes;
import dev.tarn.cluster.object.ObjectMetadata;
import dev.tarn.cluster.object.ObjectName;
import dev.tarn.cluster.target.Deadline;
import dev.tarn.cluster.target.Failure;
import dev.tarn.cluster.target.Outcome;
import dev.tarn.cluster.target.TargetRequest;
import dev.tarn.cluster.target.TargetRequest.Copy;
import dev.tarn.cluster.target.TargetRequest.SetAcl;
import dev.tarn.cluster.target.TargetRequest.SetTags;
import dev.tarn.targetnode.local.Sources.Source;
import dev.tarn.targetnode.store.Decision;
import dev.tarn.targetnode.store.DiskStore;
import dev.tarn.targetnode.store.Durability;
import dev.tarn.targetnode.store.extent.ExtentWriter;
import dev.tarn.targetnode.store.record.LogEntry;
import dev.tarn.targetnode.store.record.Piece;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Copies objects and changes their tags and ACLs. A copy on the same disk names the extents of its
 * source; only inline bytes are written again. The commit verifies that the source is unchanged
 * since it was read, and otherwise the call starts again.
 */
final class LocalCopies {
  private static final int ATTEMPTS_MAX = 5;

  private final Sources sources;
  private final Commits commits;
  private final Work work;

  LocalCopies(Sources sources, Commits commits, Work work) {
    this.sources = sources;
    this.commits = commits;
    this.work = work;
  }

  /** The content to commit, with the extent that was written for it. */
  private record Prepared(Commits.Content content, Optional<ExtentWriter> extent) {}

  CompletionStage<Outcome<ObjectMetadata>> copy(
      DiskStore from, DiskStore to, Copy request, Bucket bucket) {
    return copy(from, to, request, bucket, 1);
  }

  private CompletionStage<Outcome<ObjectMetadata>> copy(
      DiskStore from, DiskStore to, Copy request, Bucket bucket, int attempt) {
    return work.onWorker(
            attempt == 1 ? request.scope().deadline() : Deadline.NONE,
            from,
            () -> sources.find(from, request.source()))
        .thenCompose(found -> {
          if (!(found instanceof Outcome.Success<Source> success)) {
            return completedFuture(found.map(source -> source.object().metadata()));
          }
          Source source = success.value();
          return work.onWorker(
                  Deadline.NONE, to, () -> prepare(source, to, request, Commits.durability(bucket)))
              .thenCompose(
                  prepared -> commit(from, to, request, bucket, source, prepared, attempt));
        });
  }

  private CompletionStage<Outcome<ObjectMetadata>> commit(
      DiskStore from,
      DiskStore to,
      Copy request,
      Bucket bucket,
      Source source,
      Outcome<Prepared> outcome,
      int attempt) {
    if (!(outcome instanceof Outcome.Success<Prepared> success)) {
      return completedFuture(outcome.map(prepared -> source.object().metadata()));
    }
    Prepared prepared = success.value();
    return commits
        .<ObjectMetadata>commit(
            to,
            Commits.durability(bucket),
            prepared.extent(),
            prepared.content().payload().remaining(),
            view ->
                from == to && !source.isUnchanged(view)
                    ? new Decision.Refuse<>(new Failure.LostRace())
                    : commits.decide(view, request.preconditions(), prepared.content()))
        .thenCompose(result ->
            lostRace(result) && attempt < ATTEMPTS_MAX
                ? copy(from, to, request, bucket, attempt + 1)
                : completedFuture(result));
  }

  private static boolean lostRace(Outcome<?> outcome) {
    return outcome instanceof Outcome.Failed<?> failed
        && failed.failure() instanceof Failure.LostRace;
  }

  private Outcome<Prepared> prepare(
      Source source, DiskStore to, Copy request, Durability durability) throws IOException {
    ObjectMetadata metadata = source.object().metadata();
    boolean moved = source.store() != to && !source.object().isInline() && metadata.sizeBytes() > 0;
    Optional<Failure> refused =
        to.refuseBytes(moved ? metadata.sizeBytes() : source.payload().remaining());
    if (refused.isPresent()) {
      return Outcome.failed(refused.orElseThrow());
    }
    boolean anew = !request.checksums().isEmpty();
    BodyDigests.Computed digests =
        anew
            ? sources.digest(source, 0, metadata.sizeBytes(), request.checksums())
            : new BodyDigests.Computed(Optional.empty(), metadata.checksums());
    Optional<ExtentWriter> extent = Optional.empty();
    List<Piece> pieces = source.object().pieces();
    if (moved) {
      ExtentWriter writer =
          sources.write(
              source, 0, metadata.sizeBytes(), to, durability, new BodyDigests(false, Set.of()));
      extent = Optional.of(writer);
      pieces = pieces(writer, source.object().pieces());
    }
    Commits.Content content =
        new Commits.Content(
            request.name(),
            metadata.sizeBytes(),
            digests.md5Hex().orElse(metadata.etag()),
            digests.checksums(),
            request.attributesFrom(metadata.attributes()),
            anew ? List.of() : metadata.parts(),
            pieces,
            "",
            source.payload());
    return Outcome.success(new Prepared(content, extent));
  }

  /** The pieces of a copy with these lengths, one after the other in one extent. */
  private static List<Piece> pieces(ExtentWriter extent, List<Piece> like) {
    List<Piece> pieces = new ArrayList<>(like.size());
    long offset = 0;
    for (Piece piece : like) {
      pieces.add(new Piece.ExtentRange(extent.id(), offset, piece.length(), extent.tableCrc()));
      offset += piece.length();
    }
    return pieces;
  }

  CompletionStage<Outcome<ObjectMetadata>> setTags(
      DiskStore store, SetTags request, Bucket bucket) {
    return revise(
        store, request, request.version(), bucket, attributes -> attributes.with(request.tags()));
  }

  CompletionStage<Outcome<ObjectMetadata>> setAcl(DiskStore store, SetAcl request, Bucket bucket) {
    return revise(
        store, request, request.version(), bucket, attributes -> attributes.with(request.acl()));
  }

  private CompletionStage<Outcome<ObjectMetadata>> revise(
      DiskStore store,
      TargetRequest.OfKey<?> request,
      Optional<String> version,
      Bucket bucket,
      UnaryOperator<ObjectAttributes> change) {
    Revision revision =
        new Revision(
            request.scope().deadline(),
            store,
            request.name(),
            version,
            Commits.durability(bucket),
            change);
    return revise(revision, 1);
  }

  /** A change of an object's attributes, which does not touch its bytes. */
  private record Revision(
      Deadline deadline,
      DiskStore store,
      ObjectName name,
      Optional<String> version,
      Durability durability,
      UnaryOperator<ObjectAttributes> change) {}

  private CompletionStage<Outcome<ObjectMetadata>> revise(Revision revision, int attempt) {
    DiskStore store = revision.store;
    return work.onWorker(
            attempt == 1 ? revision.deadline : Deadline.NONE,
            store,
            () -> sources.find(store, revision.name, revision.version))
        .thenCompose(found -> {
          if (!(found instanceof Outcome.Success<Source> success)) {
            return completedFuture(found.map(source -> source.object().metadata()));
          }
          return commit(revision, success.value())
              .thenCompose(result ->
                  lostRace(result) && attempt < ATTEMPTS_MAX
                      ? revise(revision, attempt + 1)
                      : completedFuture(result));
        });
  }

  private CompletionStage<Outcome<ObjectMetadata>> commit(Revision revision, Source source) {
    ObjectMetadata changed = revised(source.object().metadata(), revision.change);
    return commits.<ObjectMetadata>commit(
        revision.store,
        revision.durability,
        Optional.empty(),
        source.payload().remaining(),
        view ->
            source.isUnchanged(view)
                ? new Decision.Write<>(
                    new LogEntry.ObjectStored(source.object().revised(changed, view.mapEpoch())),
                    source.payload(),
                    changed)
                : new Decision.Refuse<>(new Failure.LostRace()));
  }

  private static ObjectMetadata revised(
      ObjectMetadata old, UnaryOperator<ObjectAttributes> change) {
    return new ObjectMetadata(
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
  }
}
